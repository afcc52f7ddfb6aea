#pragma once

#include "control/document/preferences.h"

class QApplication;

namespace hs::window {

/// Styles the whole program: quiet neutral chrome with one accent, light or dark. System follows the
/// desktop's palette at program start.
void applyTheme(QApplication& application, control::Preferences::Theme theme);

}  // namespace hs::window
