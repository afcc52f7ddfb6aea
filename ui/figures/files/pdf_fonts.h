#pragma once

class QPDF;

namespace hs::figures {

/// Repairs how Qt embeds fonts. Font subsets are named after their content, everywhere the format
/// wants the name; Qt names them by numbers that differ from run to run, and in only one place. A space
/// copied out of the file is a space, not a tab.
void mendFonts(QPDF& pdf);

}  // namespace hs::figures
