#include "figures/tile_panel.h"

#include "figures/sheet.h"
#include "render/tile_image.h"
#include "render/tile_marks.h"

#include <QCoreApplication>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace hs {
namespace {

constexpr double kLabelInset = 0.45;        // of a label's size, from the tile's edges
constexpr double kLargestLabelShare = 0.2;  // of the tile's side
constexpr double kUsualLabelShare = 0.15;
constexpr double kFramesToSide = 40;  // a frame is no thicker than this part of its tile
constexpr double kMostHidden = 0.25;  // share of a head's weights that its label may hide
constexpr double kHatchStep = 3;      // points
constexpr QFont::Weight kLabelWeight = QFont::DemiBold;

struct Words {
    Q_DECLARE_TR_FUNCTIONS(hs::Figure)
};

QString labelOf(HeadId head)
{
    return QString::fromStdString(toString(head));
}

TextStyle headerStyle(const FigureForm& form)
{
    return {form.smallSize(), QFont::Normal, FigureStyle::kQuietInk, {}};
}

GridLayout gridOf(const TilePanel& panel, const TileMetrics& metrics)
{
    return panel.columns > 0
               ? GridLayout::wrapped(static_cast<int>(panel.heads.size()), panel.columns, metrics)
               : GridLayout::matrix(panel.heads, metrics);
}

/// The widest label at size 1.
double widestLabel(const TilePanel& panel, const QString& family)
{
    double width = 0;
    qsizetype letters = 0;
    for (const HeadId head : panel.heads) {
        const QString label = labelOf(head);
        if (label.size() < letters)
            continue;
        letters = label.size();
        width = std::max(width, textWidth(label, 1, kLabelWeight, family));
    }
    return width;
}

/// The size of labels inside of tiles: as large as looks well, shrunk to the least legible size
/// where they would leave their tile; 0 where even that does not fit.
double labelSizeFor(const TilePanel& panel, const FigureForm& form, double tileSide)
{
    const double widest = widestLabel(panel, form.fontFamily);
    if (!(widest > 0))
        return FigureForm::kLeastText;
    const double fits = tileSide / (widest + 2 * kLabelInset);
    const double wanted = std::clamp(kUsualLabelShare * tileSide, FigureForm::kLeastText,
                                     std::max(FigureForm::kLeastText, form.fontSize));
    const double size =
        std::min({wanted, fits, std::max(kLargestLabelShare * tileSide, FigureForm::kLeastText)});
    return size >= FigureForm::kLeastText && 2.2 * size <= tileSide ? size : 0;
}

/// The share of a head's weights that is drawn where `part` of the tile lies.
double shareUnder(const RunResult& result, HeadId head, const QRectF& tile, const QRectF& part)
{
    const int side = result.tileSide;
    const std::uint8_t* const weights = result.tileOf(head);
    const auto cell = [&](double offset) {
        return std::clamp(static_cast<int>(std::floor(offset / tile.width() * side)), 0, side - 1);
    };
    const int firstColumn = cell(part.left() - tile.left());
    const int lastColumn = cell(part.right() - tile.left());
    const int firstRow = cell(part.top() - tile.top());
    const int lastRow = cell(part.bottom() - tile.top());
    std::int64_t all = 0, under = 0;
    for (int row = 0; row < side; ++row) {
        const std::uint8_t* const line =
            weights + static_cast<std::size_t>(row) * static_cast<std::size_t>(side);
        all = std::accumulate(line, line + side, all);
        if (row >= firstRow && row <= lastRow)
            under = std::accumulate(line + firstColumn, line + lastColumn + 1, under);
    }
    return all > 0 ? static_cast<double>(under) / static_cast<double>(all) : 0;
}

/// Every how many of `count` places a text of `length` fits when places are `step` apart.
int thinning(double length, double step)
{
    return std::max(1, static_cast<int>(std::ceil(length / step)));
}

}  // namespace

QString describeRun(const TilePanel& panel)
{
    const RunResult& result = panel.result;
    QStringList parts = {
        Words::tr("%1 of %2 heads").arg(panel.heads.size()).arg(result.heads.total()),
        Words::tr("active edges %1 %").arg(QString::number(100 * result.density, 'g', 3)),
    };
    if (result.loss)
        parts << Words::tr("loss %1").arg(*result.loss, 0, 'f', 2);
    if (!panel.ablated.empty())
        parts << Words::tr("%1 ablated").arg(panel.ablated.size());
    return parts.join(QStringLiteral(" · "));
}

QList<QRgb> cellColours(const FigureForm& form)
{
    const ColourMap map = ColourMap::named(form.colourMap);
    const double span = form.highest - form.lowest;
    QList<QRgb> colours;
    for (int value = 0; value < 256; ++value) {
        const double weight = span > 0 ? std::clamp((value / 255.0 - form.lowest) / span, 0.0, 1.0) : 0;
        colours << map.at(static_cast<int>(std::lround(255 * scaled(weight, form.scale))));
    }
    return colours;
}

QImage cellImage(const RunResult& result, HeadId head, const FigureForm& form)
{
    const int side = result.tileSide;
    const std::uint8_t* const tile = result.tileOf(head);
    QImage cells(side, side, QImage::Format_Indexed8);
    for (int row = 0; row < side; ++row)
        std::copy_n(tile + static_cast<std::size_t>(row) * static_cast<std::size_t>(side), side,
                    cells.scanLine(row));
    FigureForm own = form;
    if (form.isPerHead) {
        const int peak =
            *std::max_element(tile, tile + static_cast<std::size_t>(side) * static_cast<std::size_t>(side));
        own.lowest = 0;
        own.highest = peak > 0 ? peak / 255.0 : 1;
    }
    cells.setColorTable(cellColours(own));
    return cells;
}

void drawHatching(Drawing& drawing, const QRectF& tile, double lineWidth)
{
    drawing.rect(tile, {}, FigureStyle::kHatchGround);
    // Rising lines x + y = sum, cut off at the square's edges.
    QPainterPath lines;
    const double side = tile.width();
    for (double sum = kHatchStep; sum < 2 * side; sum += kHatchStep) {
        const double low = std::max(0.0, sum - side);
        const double high = std::min(sum, side);
        lines.moveTo(tile.topLeft() + QPointF(low, high));
        lines.lineTo(tile.topLeft() + QPointF(high, low));
    }
    drawing.shape(lines, Stroke{FigureStyle::kHatchLine, lineWidth, false});
}

TilePanelLayout::TilePanelLayout(const TilePanel& panel, const FigureForm& form, double tileSide)
    : m_panel(panel), m_form(form), m_metrics(TileMetrics::forSide(tileSide)),
      m_grid(gridOf(panel, m_metrics)), m_labelSize(labelSizeFor(panel, form, tileSide))
{
    if (!panel.below.empty()) {
        m_metrics.gap = std::max(m_metrics.gap, 1.6 * form.smallSize());
        m_grid = gridOf(panel, m_metrics);
    }
    if (!hasLabelsInside()) {
        double widest = 0;
        for (int row = 0; row < m_grid.rows(); ++row)
            widest =
                std::max(widest, textWidth(rowHeader(row), form.smallSize(), QFont::Normal, form.fontFamily));
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
        m_size = {textWidth(emptyText(), form.fontSize, QFont::Normal, form.fontFamily),
                  m_headingHeight + 1.3 * form.fontSize};
}

void TilePanelLayout::setGridTop(double top)
{
    m_size.rheight() += top - m_origin.y();
    m_origin.setY(top);
}

QString TilePanelLayout::emptyText() const
{
    return Words::tr("No head to show");
}

QString TilePanelLayout::rowHeader(int row) const
{
    for (int column = 0; column < m_grid.columns(); ++column) {
        const int index = m_grid.tileAtPlace(QPoint(column, row));
        if (index == GridLayout::kNoTile)
            continue;
        const HeadId head = m_panel.heads[static_cast<std::size_t>(index)];
        return m_panel.columns == 0 ? QStringLiteral("L%1").arg(head.layer) : labelOf(head);
    }
    return {};
}

QString TilePanelLayout::columnHeader(int column) const
{
    for (int row = 0; row < m_grid.rows(); ++row) {
        const int index = m_grid.tileAtPlace(QPoint(column, row));
        if (index != GridLayout::kNoTile)
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
                     {m_form.fontSize, QFont::Normal, FigureStyle::kQuietInk, {}});
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
        drawHatching(drawing, place, m_form.lineWidth);
    } else if (isBlank(m_panel.result.tileOf(head), m_panel.result.tileSide)) {
        drawing.rect(place, {}, ColourMap::named(m_form.colourMap).at(0));
    } else {
        drawing.cells(place, cellImage(m_panel.result, head, m_form));
    }
    drawing.rect(place.adjusted(-frame / 2, -frame / 2, frame / 2, frame / 2),
                 Stroke{FigureStyle::kFrame, frame, false});
    if (m_panel.mark)
        drawMark(drawing, place);
    if (hasLabelsInside())
        drawLabel(drawing, head, place);
    if (static_cast<std::size_t>(index) < m_panel.below.size()) {
        const TextStyle style = headerStyle(m_form);
        drawing.text({place.center().x(), place.bottom() + 1.05 * style.size},
                     m_panel.below[static_cast<std::size_t>(index)], style, Align::Centre);
    }
}

QRectF TilePanelLayout::labelPlace(HeadId head, const QRectF& tile, double width) const
{
    const QRectF wanted = labelCapitals(tile, m_form.labelCorner, width, m_labelSize);
    if (m_panel.ablated.contains(head))
        return wanted;
    const auto hidden = [&](const QRectF& place) { return shareUnder(m_panel.result, head, tile, place); };
    if (hidden(wanted) <= kMostHidden)
        return wanted;
    // What little a head does must not disappear under its name.
    QRectF best = wanted;
    for (const LabelCorner corner :
         {LabelCorner::TopRight, LabelCorner::TopLeft, LabelCorner::BottomRight, LabelCorner::BottomLeft})
        if (const QRectF other = labelCapitals(tile, corner, width, m_labelSize);
            hidden(other) < hidden(best))
            best = other;
    return best;
}

void TilePanelLayout::drawLabel(Drawing& drawing, HeadId head, const QRectF& tile) const
{
    TextStyle style{m_labelSize, kLabelWeight, FigureStyle::kInk, {}};
    const QString label = labelOf(head);
    const QRectF capitals = labelPlace(head, tile, drawing.widthOf(label, style));
    const ColourMap map = ColourMap::named(m_form.colourMap);
    if (m_panel.ablated.contains(head)) {
        style.ink = FigureStyle::kQuietInk;
        style.halo = FigureStyle::kHatchGround;
    } else {
        style.ink = map.startsDark() ? FigureStyle::kPaper : FigureStyle::kInk;
        if (shareUnder(m_panel.result, head, tile, capitals) > 0)
            style.halo = map.at(0);
    }
    drawing.text(capitals.bottomLeft(), label, style);
}

void TilePanelLayout::drawMark(Drawing& drawing, const QRectF& tile) const
{
    const RunResult& result = m_panel.result;
    const double length = static_cast<double>(result.tokens.size());
    if (!(length > 0))
        return;
    // A tile's cell stands for several tokens where there are more of them than cells.
    const auto cellOf = [&](int position) { return std::floor(position / length * result.tileSide); };
    const double cell = tile.width() / result.tileSide;
    const QRectF exact(tile.left() + cellOf(m_panel.mark->key) * cell,
                       tile.top() + cellOf(m_panel.mark->query) * cell, cell, cell);
    const double least = 3 * m_form.lineWidth;
    const double grow = std::max(0.0, (least - cell) / 2);
    drawing.rect(exact.adjusted(-grow, -grow, grow, grow),
                 Stroke{FigureStyle::kMark, 1.6 * m_form.lineWidth, false});
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
        Words::tr("Tiles of %1 mm are too small for labels of %2 pt, so rows%3 are labelled instead; a wider "
                  "figure, fewer columns or a smaller sample of heads brings the labels back.")
            .arg(m_metrics.side * 25.4 / 72, 0, 'f', 1)
            .arg(FigureForm::kLeastText)
            .arg(m_panel.columns == 0 ? Words::tr(" and columns") : QString()));
}

double fittingTileSide(const std::vector<TilePanel>& panels, bool isStacked, const FigureForm& form,
                       double width, double most)
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
    if (fits(most))
        return most;
    double low = 1, high = most;
    for (int round = 0; round < 24; ++round)
        (fits((low + high) / 2) ? low : high) = (low + high) / 2;
    return low;
}

DataTable table(const std::vector<TilePanel>& panels)
{
    DataTable result{
        {{"panel", {}}, {"layer", {}}, {"head", {}}, {"query", {}}, {"key", {}}, {"weight", {}}}};
    const auto append = [&](std::initializer_list<double> row) {
        std::size_t column = 0;
        for (const double value : row)
            result.columns[column++].values.push_back(value);
    };
    for (std::size_t panel = 0; panel < panels.size(); ++panel) {
        const RunResult& run = panels[panel].result;
        const int side = run.tileSide;
        for (const HeadId head : panels[panel].heads)
            for (int query = 0; query < side; ++query)
                for (int key = 0; key <= query; ++key)
                    append({static_cast<double>(panel), static_cast<double>(head.layer),
                            static_cast<double>(head.head), static_cast<double>(query),
                            static_cast<double>(key), run.tileOf(head)[query * side + key] / 255.0});
    }
    return result;
}

}  // namespace hs
