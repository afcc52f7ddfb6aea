#pragma once

class QPDF;

namespace hs::figures {

/// Mends how Qt embeds fonts. Parts of fonts are named after what is in them, in every place where
/// the format wants the name; Qt names them by numbers that differ from run to run, and in one
/// place. A space that is copied out of the file is a space and not a tab.
void mendFonts(QPDF& pdf);

}  // namespace hs::figures
