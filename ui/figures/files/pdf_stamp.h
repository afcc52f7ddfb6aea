#pragma once

#include "figures/files/figure_file.h"

class QPDF;

namespace hs::figures {

/// Writes title, caption and recipe into a PDF file, but not when or where it was made: into the
/// information dictionary, an XMP packet, and an attached .json file.
void stampPdf(QPDF& pdf, const Stamp& stamp);

}  // namespace hs::figures
