#include "figures/parts/tile_label.h"

#include "render/tile_marks.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace hs::figures {
namespace {

constexpr double kTileLabelInset = 0.45;    // of a label's size, from the tile's edges
constexpr double kLargestLabelShare = 0.2;  // of the tile's side
constexpr double kUsualLabelShare = 0.15;
constexpr double kMostHidden = 0.25;  // share of a head's weights that its label may hide

/// The widest label at size 1.
double measuredWidest(const std::vector<HeadId>& heads, const QString& family)
{
    double width = 0;
    qsizetype letters = 0;
    for (const HeadId head : heads) {
        const QString label = tileLabel(head);
        if (label.size() < letters)
            continue;
        letters = label.size();
        width = std::max(width, render::textWidth(label, 1, kTileLabelWeight, family));
    }
    return width;
}

/// Remembers the last answer: the same heads are laid out with many tile sides until they fit.
double widestLabel(const TilePanel& panel, const QString& family)
{
    struct Known {
        std::vector<HeadId> heads;
        QString family;
        double width = 0;
    };
    thread_local Known known;
    if (known.heads != panel.heads || known.family != family)
        known = {panel.heads, family, measuredWidest(panel.heads, family)};
    return known.width;
}

/// The share of a head's weights that is drawn within `part` of the tile.
double shareUnder(const engine::RunResult& result, HeadId head, const QRectF& tile, const QRectF& part)
{
    const std::uint8_t* const weights = result.tileOf(head);
    const auto cell = [&](double offset, int cells) {
        return std::clamp(static_cast<int>(std::floor(offset / tile.width() * cells)), 0, cells - 1);
    };
    const int firstColumn = cell(part.left() - tile.left(), result.tileColumns);
    const int lastColumn = cell(part.right() - tile.left(), result.tileColumns);
    const int firstRow = cell(part.top() - tile.top(), result.tileRows);
    const int lastRow = cell(part.bottom() - tile.top(), result.tileRows);
    std::int64_t all = 0, under = 0;
    for (int row = 0; row < result.tileRows; ++row) {
        const std::uint8_t* const line =
            weights + static_cast<std::size_t>(row) * static_cast<std::size_t>(result.tileColumns);
        all = std::accumulate(line, line + result.tileColumns, all);
        if (row >= firstRow && row <= lastRow)
            under = std::accumulate(line + firstColumn, line + lastColumn + 1, under);
    }
    return all > 0 ? static_cast<double>(under) / static_cast<double>(all) : 0;
}

/// Where the label's capitals go.
QRectF labelPlace(const TilePanel& panel, HeadId head, const QRectF& tile, double width, double size,
                  render::LabelCorner wantedCorner)
{
    const QRectF wanted = render::labelCapitals(tile, wantedCorner, width, size);
    if (panel.ablated.contains(head))
        return wanted;
    const auto hidden = [&](const QRectF& place) { return shareUnder(panel.result, head, tile, place); };
    if (hidden(wanted) <= kMostHidden)
        return wanted;
    // The little that a head does must not disappear under its name.
    QRectF best = wanted;
    for (const render::LabelCorner corner :
         {render::LabelCorner::TopRight, render::LabelCorner::TopLeft, render::LabelCorner::BottomRight,
          render::LabelCorner::BottomLeft})
        if (const QRectF other = render::labelCapitals(tile, corner, width, size);
            hidden(other) < hidden(best))
            best = other;
    return best;
}

}  // namespace

QString tileLabel(HeadId head)
{
    return QString::fromStdString(toString(head));
}

double tileLabelSize(const TilePanel& panel, const Form& form, double tileSide)
{
    const double widest = widestLabel(panel, form.fontFamily);
    if (!(widest > 0))
        return Form::kLeastText;
    const double fits = tileSide / (widest + 2 * kTileLabelInset);
    const double wanted =
        std::clamp(kUsualLabelShare * tileSide, Form::kLeastText, std::max(Form::kLeastText, form.fontSize));
    const double size = std::min({wanted, fits, std::max(kLargestLabelShare * tileSide, Form::kLeastText)});
    return size >= Form::kLeastText && 2.2 * size <= tileSide ? size : 0;
}

void drawTileLabel(Drawing& drawing, const TilePanel& panel, HeadId head, const QRectF& tile, double size,
                   const Form& form)
{
    TextStyle style{size, kTileLabelWeight, render::FigureStyle::kInk, {}};
    const QString label = tileLabel(head);
    const QRectF capitals =
        labelPlace(panel, head, tile, drawing.widthOf(label, style), size, form.labelCorner);
    const render::ColourMap map = render::ColourMap::named(form.colourMap);
    if (panel.patched.contains(head)) {
        style.halo = render::FigureStyle::kPatchGround;
    } else if (panel.ablated.contains(head)) {
        style.ink = render::FigureStyle::kQuietInk;
        style.halo = render::FigureStyle::kHatchGround;
    } else {
        style.ink = map.startsDark() ? render::FigureStyle::kPaper : render::FigureStyle::kInk;
        if (shareUnder(panel.result, head, tile, capitals) > 0)
            style.halo = map.at(0);
    }
    drawing.text(capitals.bottomLeft(), label, style);
}

}  // namespace hs::figures
