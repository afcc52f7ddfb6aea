#pragma once

#include "figures/files/figure_file.h"

#include <QImage>

namespace hs::test {

/// Two panels of 3 × 4 made-up heads with labels, a hatched tile, a caption in four scripts, rotated
/// text, text with a halo, a dashed line: an example of everything that a file has to hold.
figures::Drawing sampleDrawing();

figures::Stamp sampleStamp();

/// What a system program prints. Skips the test if it is not installed, fails it if the program fails.
QByteArray outputOf(const QString& program, const QStringList& arguments);

/// Cells whose middle does not have the colour of its weight in a picture of the drawing, one line
/// each; those covered by text are left out. `slack` is how far a channel may be off.
QStringList wrongCells(const figures::Drawing& drawing, const QImage& picture, int slack = 0);

}  // namespace hs::test
