#pragma once

#include <QByteArray>
#include <QImage>

#include <vector>

namespace hs::figures {

/// Cells as vector files hold them: some pixels a cell, since viewers smooth what they enlarge.
/// One byte a pixel, lines filtered as PNG does and deflated, which is what an IDAT chunk and a
/// PDF image with a PNG predictor both have.
struct CellPixels {
    int width = 0;
    int height = 0;
    QByteArray palette;  // red, green and blue of each colour
    QByteArray deflated;
};

/// `cells` has one pixel a cell (Format_Indexed8).
CellPixels pixelsOf(const QImage& cells);

/// The same of many at once, on all cores.
std::vector<CellPixels> pixelsOf(const std::vector<QImage>& pictures);

/// The same cells with the colours that occur in them alone.
QImage withUsedColours(const QImage& cells);

}  // namespace hs::figures
