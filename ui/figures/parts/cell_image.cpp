#include "figures/parts/cell_image.h"

#include <algorithm>
#include <cmath>

namespace hs::figures {
namespace {

constexpr double kHatchStep = 3;  // points

}  // namespace

QList<QRgb> cellColours(const Form& form)
{
    const render::ColourMap map = render::ColourMap::named(form.colourMap);
    const double span = form.highest - form.lowest;
    QList<QRgb> colours;
    for (int value = 0; value < 256; ++value) {
        const double weight = span > 0 ? std::clamp((value / 255.0 - form.lowest) / span, 0.0, 1.0) : 0;
        colours << map.at(static_cast<int>(std::lround(255 * render::scaled(weight, form.scale))));
    }
    return colours;
}

QImage cellImage(const engine::RunResult& result, HeadId head, const Form& form)
{
    const std::uint8_t* const tile = result.tileOf(head);
    QImage cells(result.tileColumns, result.tileRows, QImage::Format_Indexed8);
    for (int row = 0; row < result.tileRows; ++row)
        std::copy_n(tile + static_cast<std::size_t>(row) * static_cast<std::size_t>(result.tileColumns),
                    result.tileColumns, cells.scanLine(row));
    Form own = form;
    if (form.isPerHead) {
        const int peak = *std::max_element(tile, tile + result.tileCells());
        own.lowest = 0;
        own.highest = peak > 0 ? peak / 255.0 : 1;
    }
    cells.setColorTable(cellColours(own));
    return cells;
}

void drawHatching(Drawing& drawing, const QRectF& tile, render::Hatching hatching, double lineWidth)
{
    const bool isRising = hatching == render::Hatching::Rising;
    drawing.rect(tile, {}, isRising ? render::FigureStyle::kHatchGround : render::FigureStyle::kPatchGround);
    // Rising lines x + y = sum, cut off at the square's edges; falling ones are their mirror image.
    QPainterPath lines;
    const double side = tile.width();
    const auto at = [&](double x, double y) { return tile.topLeft() + QPointF(isRising ? x : side - x, y); };
    for (double sum = kHatchStep; sum < 2 * side; sum += kHatchStep) {
        const double low = std::max(0.0, sum - side);
        const double high = std::min(sum, side);
        lines.moveTo(at(low, high));
        lines.lineTo(at(high, low));
    }
    const QRgb line = isRising ? render::FigureStyle::kHatchLine : render::FigureStyle::kPatchLine;
    drawing.shape(lines, Stroke{line, lineWidth, false});
}

}  // namespace hs::figures
