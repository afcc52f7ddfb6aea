#pragma once

#include <QByteArray>
#include <QImage>

#include <vector>

namespace hs::figures {

/// Cells as stored in vector files: several pixels per cell, since viewers smooth what they enlarge.
/// One byte per pixel, lines filtered as in PNG and deflated, which suits both an IDAT chunk and a PDF
/// image with a PNG predictor.
struct CellPixels {
    int width = 0;
    int height = 0;
    QByteArray palette;  // red, green and blue of each colour
    QByteArray deflated;
};

/// `cells` has one pixel per cell (Format_Indexed8).
CellPixels pixelsOf(const QImage& cells);

/// The same for many pictures at once, on all cores.
std::vector<CellPixels> pixelsOf(const std::vector<QImage>& pictures);

/// The same cells, with only the colours that occur in them.
QImage withUsedColours(const QImage& cells);

}  // namespace hs::figures
