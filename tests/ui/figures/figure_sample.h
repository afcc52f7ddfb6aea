#pragma once

#include "figures/files/figure_file.h"

#include <QImage>

namespace hs::test {

/// Two panels of 3 × 4 made-up heads with labels, a hatched tile, a caption in four scripts, turned
/// text, text with a halo, a dashed line: of everything that a file has to hold something.
figures::Drawing sampleDrawing();

figures::FigureStamp sampleStamp();

/// What a program of the system prints. Skips the test where it is not installed, fails it where it does
/// not succeed.
QByteArray outputOf(const QString& program, const QStringList& arguments);

/// Cells whose middle does not have the colour of its weight in a picture of the drawing, one line
/// each; those that text covers are left out. `slack` is how far a channel may be off.
QStringList wrongCells(const figures::Drawing& drawing, const QImage& picture, int slack = 0);

}  // namespace hs::test
