#pragma once

#include "figures/files/figure_file.h"

class QPDF;

namespace hs::figures {

/// Writes title, caption and recipe into a PDF file, and nothing of when or where it was made: the
/// information dictionary, an XMP packet, and an attached .json file.
void stampPdf(QPDF& pdf, const FigureStamp& stamp);

}  // namespace hs::figures
