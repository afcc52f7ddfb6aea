#include "figures/parts/cell_image.h"

#include <algorithm>
#include <cmath>

namespace hs::figures {
namespace {

constexpr double kHatchStep = 3;  // points

}  // namespace

int colourLevel(int value, const Form& form)
{
    const double span = form.highest - form.lowest;
    const double weight = span > 0 ? std::clamp((value / 255.0 - form.lowest) / span, 0.0, 1.0) : 0;
    return static_cast<int>(std::lround(255 * render::scaled(weight, form.scale)));
}

QList<QRgb> cellColours(const Form& form)
{
    const render::ColourMap map = render::ColourMap::named(form.colourMap);
    QList<QRgb> colours;
    for (int value = 0; value < 256; ++value)
        colours << map.at(colourLevel(value, form));
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
    QPainterPath lines;
    for (const QLineF& line : render::hatchLines(tile, hatching, kHatchStep)) {
        lines.moveTo(line.p1());
        lines.lineTo(line.p2());
    }
    const QRgb line = isRising ? render::FigureStyle::kHatchLine : render::FigureStyle::kPatchLine;
    drawing.shape(lines, Stroke{line, lineWidth, false});
}

}  // namespace hs::figures
