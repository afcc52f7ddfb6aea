#pragma once

#include "figures/figure_file.h"
#include "figures/pdf_objects.h"

namespace hs {

/// Writes title, caption and recipe into a PDF file, and nothing of when or where it was made: the
/// information dictionary, an XMP packet, and an attached .json file.
void stampPdf(PdfObjects& objects, const FigureStamp& stamp);

/// The attached recipe; null where there is none.
QByteArray attachedRecipe(const PdfObjects& objects);

}  // namespace hs
