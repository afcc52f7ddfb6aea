#pragma once

#include "base/side.h"

#include <QColor>
#include <QPalette>
#include <QString>

namespace hs::panels {

/// The colour of a side in bars and curves, legible on the palette's base.
QColor sideColour(Side side, const QPalette& palette);

bool isDark(const QPalette& palette);
/// For marked cells and tokens, legible on the palette's base.
QColor markColour(const QPalette& palette);

/// For separating lines, and words that should not compete with data.
QColor quietInk(const QPalette& palette);

/// The colours of paper, whatever the theme, for pictures in files.
QPalette paperPalette();

/// "0.042"; an en dash for NaN.
QString formatNumber(double value, int decimals = 3);

/// "+0.042", "−0.042", "0.000".
QString signedNumber(double value, int decimals = 3);

/// "98.1 %".
QString formatPercent(double share, int decimals = 1);

}  // namespace hs::panels
