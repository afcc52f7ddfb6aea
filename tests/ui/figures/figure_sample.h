#pragma once

#include "figures/figure_file.h"

#include <QImage>

#include <optional>

namespace hs::test {

/// Two panels of 3 × 4 made-up heads with labels, a hatched tile, a caption in four scripts, turned
/// text, text with a halo, a dashed line: of everything that a file has to hold something.
Drawing sampleDrawing();

FigureStamp sampleStamp();

/// What a program of the system prints; nothing, and a warning, where it is not installed. Fails the
/// test where it does not succeed.
std::optional<QByteArray> outputOf(const QString& program, const QStringList& arguments);

/// Cells whose middle does not have the colour of its weight in a picture of the drawing, one line
/// each; those that text covers are left out. `slack` is how far a channel may be off.
QStringList wrongCells(const Drawing& drawing, const QImage& picture, int slack = 0);

}  // namespace hs::test
