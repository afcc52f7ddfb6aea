#include "figures/parts/tile_panel_layout.h"

#include "figures/parts/cell_image.h"
#include "figures/parts/fitting.h"
#include "figures/parts/sheet.h"
#include "figures/parts/tile_label.h"
#include "render/tile_image.h"
#include "render/translate.h"

#include <algorithm>
#include <cmath>

namespace hs::figures {
namespace {

constexpr double kFramesToSide = 40;  // a frame is at most its tile's side divided by this

TextStyle headerStyle(const Form& form)
{
    return {form.smallSize(), QFont::Normal, render::FigureStyle::kQuietInk, {}};
}

render::GridLayout gridOf(const TilePanel& panel, const render::TileMetrics& metrics)
{
    return panel.columns > 0
               ? render::GridLayout::wrapped(static_cast<int>(panel.heads.size()), panel.columns, metrics)
               : render::GridLayout::matrix(panel.heads, metrics);
}

/// One in how many places has room for a text of `length` if places are `step` apart.
int thinning(double length, double step)
{
    return std::max(1, static_cast<int>(std::ceil(length / step)));
}

}  // namespace

TilePanelLayout::TilePanelLayout(const TilePanel& panel, const Form& form, double tileSide)
    : m_panel(panel), m_form(form), m_metrics(render::TileMetrics::forSide(tileSide)),
      m_grid(gridOf(panel, m_metrics)), m_labelSize(tileLabelSize(panel, form, tileSide))
{
    if (!panel.below.empty()) {
        m_metrics.gap = std::max(m_metrics.gap, 1.6 * form.smallSize());
        m_grid = gridOf(panel, m_metrics);
    }
    if (!hasLabelsInside()) {
        double widest = 0;
        for (int row = 0; row < m_grid.rows(); ++row)
            widest = std::max(
                widest, render::textWidth(rowHeader(row), form.smallSize(), QFont::Normal, form.fontFamily));
        m_origin.setX(widest + 0.4 * form.smallSize());
        if (panel.columns == 0)
            m_origin.setY(1.2 * form.smallSize());
    }
    Drawing measure(form.fontFamily);
    m_headingHeight = drawHeading(measure, {}, panel.title, panel.caption, 1e6, form);
    for (const Drawing::Item& item : measure.items())
        m_headingWidth = std::max(m_headingWidth, std::get<DrawnText>(item).width);
    m_origin.ry() += m_headingHeight;
    const double below = panel.below.empty() ? 0 : 1.3 * form.smallSize();
    m_size = {m_origin.x() + m_grid.size().width(), m_origin.y() + m_grid.size().height() + below};
    if (panel.heads.empty())
        m_size = {render::textWidth(emptyText(), form.fontSize, QFont::Normal, form.fontFamily),
                  m_headingHeight + 1.3 * form.fontSize};
}

void TilePanelLayout::setGridTop(double top)
{
    m_size.rheight() += top - m_origin.y();
    m_origin.setY(top);
}

QString TilePanelLayout::emptyText() const
{
    return tr("No head to show");
}

QString TilePanelLayout::rowHeader(int row) const
{
    for (int column = 0; column < m_grid.columns(); ++column) {
        const int index = m_grid.tileAtPlace(QPoint(column, row));
        if (index == render::GridLayout::kNoTile)
            continue;
        const HeadId head = m_panel.heads[static_cast<std::size_t>(index)];
        return m_panel.columns == 0 ? QStringLiteral("L%1").arg(head.layer) : tileLabel(head);
    }
    return {};
}

QString TilePanelLayout::columnHeader(int column) const
{
    for (int row = 0; row < m_grid.rows(); ++row) {
        const int index = m_grid.tileAtPlace(QPoint(column, row));
        if (index != render::GridLayout::kNoTile)
            return QStringLiteral("H%1").arg(m_panel.heads[static_cast<std::size_t>(index)].head);
    }
    return {};
}

QRectF TilePanelLayout::tile(int index) const
{
    return m_grid.tile(index).translated(m_origin);
}

void TilePanelLayout::draw(Drawing& drawing, QPointF at, double headingWidth) const
{
    drawHeading(drawing, at, m_panel.title, m_panel.caption, std::max(m_size.width(), headingWidth), m_form);
    if (m_panel.heads.empty()) {
        drawing.text(at + QPointF(0, m_headingHeight + m_form.fontSize), emptyText(),
                     {m_form.fontSize, QFont::Normal, render::FigureStyle::kQuietInk, {}});
        return;
    }
    for (int index = 0; index < m_grid.count(); ++index)
        drawTile(drawing, index, tile(index).translated(at));
    if (!hasLabelsInside())
        drawHeaders(drawing, at);
}

void TilePanelLayout::drawTile(Drawing& drawing, int index, const QRectF& place) const
{
    const HeadId head = m_panel.heads[static_cast<std::size_t>(index)];
    const double frame = std::min(m_form.lineWidth, place.width() / kFramesToSide);
    if (m_panel.ablated.contains(head)) {
        drawHatching(drawing, place,
                     m_panel.patched.contains(head) ? render::Hatching::Falling : render::Hatching::Rising,
                     m_form.lineWidth);
    } else if (render::isBlank(m_panel.result.tileOf(head), m_panel.result.tileSide)) {
        drawing.rect(place, {}, render::ColourMap::named(m_form.colourMap).at(0));
    } else {
        drawing.cells(place, cellImage(m_panel.result, head, m_form));
    }
    drawing.rect(place.adjusted(-frame / 2, -frame / 2, frame / 2, frame / 2),
                 Stroke{render::FigureStyle::kFrame, frame, false});
    if (m_panel.mark)
        drawMark(drawing, place);
    if (hasLabelsInside())
        drawTileLabel(drawing, m_panel, head, place, m_labelSize, m_form);
    if (static_cast<std::size_t>(index) < m_panel.below.size()) {
        const TextStyle style = headerStyle(m_form);
        drawing.text({place.center().x(), place.bottom() + 1.05 * style.size},
                     m_panel.below[static_cast<std::size_t>(index)], style, Align::Centre);
    }
}

void TilePanelLayout::drawMark(Drawing& drawing, const QRectF& tile) const
{
    const engine::RunResult& result = m_panel.result;
    const double length = static_cast<double>(result.tokens.size());
    if (!(length > 0))
        return;
    // A tile's cell covers several tokens if there are more tokens than cells.
    const auto cellOf = [&](int position) { return std::floor(position / length * result.tileSide); };
    const double cell = tile.width() / result.tileSide;
    const QRectF exact(tile.left() + cellOf(m_panel.mark->key) * cell,
                       tile.top() + cellOf(m_panel.mark->query) * cell, cell, cell);
    const double least = 3 * m_form.lineWidth;
    const double grow = std::max(0.0, (least - cell) / 2);
    drawing.rect(exact.adjusted(-grow, -grow, grow, grow),
                 Stroke{render::FigureStyle::kMark, 1.6 * m_form.lineWidth, false});
}

void TilePanelLayout::drawHeaders(Drawing& drawing, QPointF at) const
{
    const TextStyle style = headerStyle(m_form);
    const QPointF origin = at + m_origin;
    const int rowStep = thinning(1.1 * style.size, m_metrics.step());
    for (int row = 0; row < m_grid.rows(); row += rowStep)
        drawing.text({origin.x() - 0.4 * style.size,
                      origin.y() + row * m_metrics.step() + (m_metrics.side + 0.72 * style.size) / 2},
                     rowHeader(row), style, Align::Right);
    if (m_panel.columns == 0) {
        double widest = 0;
        for (int column = 0; column < m_grid.columns(); ++column)
            widest = std::max(widest, drawing.widthOf(columnHeader(column), style));
        const int step = thinning(widest + 0.5 * style.size, m_metrics.step());
        for (int column = 0; column < m_grid.columns(); column += step)
            drawing.text(
                {origin.x() + column * m_metrics.step() + m_metrics.side / 2, origin.y() - 0.35 * style.size},
                columnHeader(column), style, Align::Centre);
    }
    drawing.note(
        tr("Tiles of %1 mm are too small for labels of %2 pt, so rows%3 are labelled instead; a wider "
           "figure, fewer columns or a smaller sample of heads brings the labels back.")
            .arg(m_metrics.side * 25.4 / 72, 0, 'f', 1)
            .arg(Form::kLeastText)
            .arg(m_panel.columns == 0 ? tr(" and columns") : QString()));
}

double fittingTileSide(const std::vector<TilePanel>& panels, bool isStacked, const Form& form, double width,
                       double most)
{
    const double gap = 2.2 * form.fontSize;
    const auto fits = [&](double side) {
        double needed = 0;
        for (const TilePanel& panel : panels) {
            const double own = TilePanelLayout(panel, form, side).size().width();
            needed = isStacked ? std::max(needed, own) : needed + own + (needed > 0 ? gap : 0);
        }
        return needed <= width;
    };
    return largestFitting(most, fits);
}

}  // namespace hs::figures
