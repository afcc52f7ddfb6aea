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
constexpr double kMlpShare = 0.2;     // width of an MLP's slim tile, of a tile's side
constexpr double kNarrowestMlp = 1;   // points
constexpr double kWidestMlp = 8;      // points

TextStyle headerStyle(const Form& form)
{
    return {form.smallSize(), QFont::Normal, render::FigureStyle::kQuietInk, {}};
}

/// One in how many places has room for a text of `length` if places are `step` apart.
int thinning(double length, double step)
{
    return std::max(1, static_cast<int>(std::ceil(length / step)));
}

}  // namespace

TilePanelLayout::TilePanelLayout(const TilePanel& panel, const Form& form, double tileSide)
    : m_panel(panel), m_form(form), m_metrics(render::TileMetrics::forSide(tileSide)),
      m_grid(panel.heads, panel.flow), m_labelSize(tileLabelSize(panel, form, tileSide))
{
    if (!panel.below.empty())
        m_metrics.gap = std::max(m_metrics.gap, 1.6 * form.smallSize());
    m_metrics.blockGap = {m_metrics.gap, m_metrics.gap};
    if (panel.flow.hasMlps)
        m_metrics.mlp = m_metrics.gap + std::clamp(kMlpShare * tileSide, kNarrowestMlp, kWidestMlp);
    if (!hasLabelsInside()) {
        m_origin = {widestHeader() + 0.4 * form.smallSize(), isMatrix() ? 1.2 * form.smallSize() : 0};
        m_metrics.blockGap = {std::max(m_metrics.gap, m_origin.x()), std::max(m_metrics.gap, m_origin.y())};
    }
    m_grid = render::GridLayout(panel.heads, panel.flow, m_metrics);
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

double TilePanelLayout::widestHeader() const
{
    double widest = 0;
    for (int block = 0; block < m_grid.shape().blocks().width(); ++block)
        for (int row = 0; row < m_grid.rows(); ++row)
            widest = std::max(widest, render::textWidth(m_grid.rowHeading(row, block), m_form.smallSize(),
                                                        QFont::Normal, m_form.fontFamily));
    return widest;
}

QRectF TilePanelLayout::tile(int index) const
{
    return m_grid.tile(index).translated(m_origin);
}

QRectF TilePanelLayout::mlpTile(const render::GridLayout::Mlp& mlp) const
{
    return m_grid.mlpTile(mlp).translated(m_origin);
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
    for (const render::GridLayout::Mlp& mlp : m_grid.mlps())
        drawMlp(drawing, mlp, mlpTile(mlp).translated(at));
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
    } else if (render::isBlank({m_panel.result.tileOf(head), m_panel.result.tileCells()})) {
        drawing.rect(place, {}, render::ColourMap::named(m_form.colourMap).at(0));
    } else {
        drawing.cells(place, cellImage(m_panel.result, head, m_form));
    }
    if (const auto edited = m_panel.edited.find(head); edited != m_panel.edited.end())
        for (const QRectF& cells : edited->second)
            drawHatching(drawing, render::placeIn(place, cells), render::Hatching::Rising, m_form.lineWidth);
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

/// A bar as long as the MLP's share, as in the window.
void TilePanelLayout::drawMlp(Drawing& drawing, const render::GridLayout::Mlp& mlp, const QRectF& place) const
{
    const HeadId unit = HeadId::mlpOf(m_panel.heads[static_cast<std::size_t>(mlp.head)].layer);
    if (m_panel.ablated.contains(unit)) {
        drawHatching(drawing, place,
                     m_panel.patched.contains(unit) ? render::Hatching::Falling : render::Hatching::Rising,
                     m_form.lineWidth);
    } else {
        drawing.rect(place, {}, render::FigureStyle::kHatchGround);
        const double share = shareOfMlp(m_panel, unit.layer);
        const double length = std::abs(share);
        const QRectF bar = place.height() >= place.width()
                               ? QRectF(place.left(), place.bottom() - length * place.height(), place.width(),
                                        length * place.height())
                               : QRectF(place.left(), place.top(), length * place.width(), place.height());
        if (!bar.isEmpty())
            drawing.rect(bar, {}, share < 0 ? render::FigureStyle::kMark : render::FigureStyle::kAccent);
    }
    const double frame = std::min(m_form.lineWidth, m_metrics.side / kFramesToSide);
    drawing.rect(place.adjusted(-frame / 2, -frame / 2, frame / 2, frame / 2),
                 Stroke{render::FigureStyle::kFrame, frame, false});
}

void TilePanelLayout::drawMark(Drawing& drawing, const QRectF& tile) const
{
    const engine::RunResult& result = m_panel.result;
    if (result.tileCells() == 0)
        return;
    // A tile's cell covers several tokens if there are more tokens than cells.
    const auto cellOf = [](int position, int tokens, int cells) {
        return std::floor(static_cast<double>(position) / tokens * cells);
    };
    const QSizeF cell(tile.width() / result.tileColumns, tile.height() / result.tileRows);
    const QRectF exact(
        tile.topLeft() +
            QPointF(cellOf(m_panel.mark->key, result.keys(), result.tileColumns) * cell.width(),
                    cellOf(m_panel.mark->query, result.queries(), result.tileRows) * cell.height()),
        cell);
    const auto grown = [this](double side) { return std::max(0.0, (3 * m_form.lineWidth - side) / 2); };
    const double across = grown(cell.width());
    const double down = grown(cell.height());
    drawing.rect(exact.adjusted(-across, -down, across, down),
                 Stroke{render::FigureStyle::kMark, 1.6 * m_form.lineWidth, false});
}

void TilePanelLayout::drawHeaders(Drawing& drawing, QPointF at) const
{
    const TextStyle style = headerStyle(m_form);
    const QPointF origin = at + m_origin;
    const QSize block = m_grid.shape().block;
    const QSize blocks = m_grid.shape().blocks();
    const int rowStep = thinning(1.1 * style.size, m_metrics.step());
    for (int across = 0; across < blocks.width(); ++across)
        for (int row = 0; row < m_grid.rows(); ++row)
            if (row % block.height() % rowStep == 0)
                drawing.text(origin + m_grid.corner({across * block.width(), row}) +
                                 QPointF(-0.4 * style.size, (m_metrics.side + 0.72 * style.size) / 2),
                             m_grid.rowHeading(row, across), style, Align::Right);
    if (isMatrix()) {
        double widest = 0;
        for (int column = 0; column < m_grid.columns(); ++column)
            widest = std::max(widest, drawing.widthOf(m_grid.columnHeading(column, 0), style));
        const int step = thinning(widest + 0.5 * style.size, m_metrics.step());
        for (int down = 0; down < blocks.height(); ++down)
            for (int column = 0; column < m_grid.columns(); ++column)
                if (column % block.width() % step == 0)
                    drawing.text(origin + m_grid.corner({column, down * block.height()}) +
                                     QPointF(m_metrics.side / 2, -0.35 * style.size),
                                 m_grid.columnHeading(column, down), style, Align::Centre);
    }
    drawing.note(
        tr("Tiles of %1 mm are too small for labels of %2 pt, so rows%3 are labelled instead; a wider "
           "figure, fewer columns or a smaller sample of heads brings the labels back.")
            .arg(m_metrics.side * 25.4 / 72, 0, 'f', 1)
            .arg(Form::kLeastText)
            .arg(isMatrix() ? tr(" and columns") : QString()));
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
