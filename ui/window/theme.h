#pragma once

#include "control/preferences.h"

class QApplication;

namespace hs {

/// Styles the whole program: quiet neutral chrome with one accent, light or dark. System follows
/// the desktop's palette as it was when the program started.
void applyTheme(QApplication& application, Preferences::Theme theme);

}  // namespace hs
