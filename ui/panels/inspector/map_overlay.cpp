#include "panels/inspector/map_overlay.h"

#include "panels/widgets/panel_style.h"
#include "render/cell_places.h"
#include "render/figure_style.h"
#include "render/tile_marks.h"

#include <QPainter>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace hs::panels {
namespace {

constexpr double kSlant = 60;  // degrees; slope of key labels that do not fit horizontally
constexpr int kLabelGap = 5;
constexpr double kLongestLabel = 84;
constexpr double kLabelShare = 0.27;  // of the widget, at most

double sine()
{
    return std::sin(kSlant * std::numbers::pi / 180);
}

std::optional<int> firstOf(const std::optional<text::TokenSpan>& span)
{
    return span ? std::optional(span->first) : std::nullopt;
}

int strideFor(double cellSide, double least)
{
    for (int decade = 1;; decade *= 10)
        for (const int factor : {1, 2, 5})
            if (factor * decade * cellSide >= least || decade >= 1'000'000)
                return factor * decade;
}

}  // namespace

std::vector<int> labelledPositions(double first, double last, double cellSide, double least,
                                   std::optional<int> lit)
{
    std::vector<int> positions;
    if (cellSide <= 0)
        return positions;
    const int stride = strideFor(cellSide, least);
    const auto isSeen = [&](int position) { return position + 0.5 >= first && position + 0.5 <= last; };
    if (lit && !isSeen(*lit))
        lit.reset();
    for (int position = static_cast<int>(std::floor(first)) / stride * stride; position < last;
         position += stride) {
        const bool isInTheWay = lit && std::abs(position - *lit) * cellSide < least;
        if (isSeen(position) && !isInTheWay)
            positions.push_back(position);
    }
    if (lit)
        positions.insert(std::lower_bound(positions.begin(), positions.end(), *lit), *lit);
    return positions;
}

MapOverlay::MapOverlay(QWidget* parent) : QWidget(parent)
{
    setAttribute(Qt::WA_TransparentForMouseEvents);
}

void MapOverlay::setLabels(const AxisLabels& labels)
{
    if (labels == m_labels)
        return;
    m_labels = labels;
    const QFontMetricsF metrics(labelFont(true));
    const auto widest = [&](const QStringList& texts) {
        double width = 0;
        for (const QString& text : texts)
            width = std::max(width, metrics.horizontalAdvance(text));
        return width;
    };
    m_widestQuery = widest(labels.queries);
    m_widestKey = widest(labels.keys);
    update();
}

void MapOverlay::setView(const MapViewport& view)
{
    m_view = view;
    update();
}

void MapOverlay::setMarks(std::optional<text::TokenSpan> query, std::optional<text::TokenSpan> key)
{
    if (query == m_query && key == m_key)
        return;
    m_query = query;
    m_key = key;
    update();
}

void MapOverlay::setEdited(const QList<QRectF>& cells)
{
    if (cells == m_edited)
        return;
    m_edited = cells;
    update();
}

void MapOverlay::setFocusShown(bool isShown)
{
    m_isFocusShown = isShown;
    update();
}

QFont MapOverlay::labelFont(bool isLit) const
{
    QFont font = this->font();
    if (font.pointSizeF() > 0)
        font.setPointSizeF(font.pointSizeF() * 0.9);
    font.setBold(isLit);
    return font;
}

double MapOverlay::longest(QSize room, double widest) const
{
    const double most = std::min(kLongestLabel, kLabelShare * std::min(room.width(), room.height()));
    return std::ceil(std::min(widest, most));
}

bool MapOverlay::isRotated() const
{
    return m_view.cellSize().width() < longest(size(), m_widestKey) + 4;
}

QMargins MapOverlay::labelRoom(QSize room) const
{
    const double height = QFontMetricsF(labelFont(true)).height();
    const double below = longest(room, m_widestKey) * sine() + height / 2;
    return {static_cast<int>(longest(room, m_widestQuery)) + kLabelGap + 1, 0, 0,
            static_cast<int>(std::ceil(std::max(below, height))) + kLabelGap};
}

std::optional<text::TokenSpan> MapOverlay::inside(const std::optional<text::TokenSpan>& span, int tokens)
{
    return span && span->first >= 0 && span->last < tokens ? span : std::nullopt;
}

QString MapOverlay::shortened(const QString& label, double widest, bool isLit) const
{
    return QFontMetricsF(labelFont(isLit)).elidedText(label, Qt::ElideRight, longest(size(), widest) + 1);
}

void MapOverlay::paintEvent(QPaintEvent*)
{
    if (m_view.isEmpty() || m_view.place().isEmpty())
        return;
    QPainter painter(this);
    painter.setPen(palette().color(QPalette::Mid));
    painter.drawRect(m_view.place().adjusted(-1, -1, 0, 0));
    paintQueries(painter);
    paintKeys(painter);
    paintEdited(painter);
    paintMarks(painter);
    if (m_isFocusShown) {
        painter.setBrush(Qt::NoBrush);
        painter.setPen(QPen(palette().color(QPalette::Highlight), 2));
        painter.drawRect(m_view.place().adjusted(-2, -2, 2, 2));
    }
}

void MapOverlay::paintQueries(QPainter& painter) const
{
    const std::optional<text::TokenSpan> lit = inside(m_query, m_view.queries());
    const double height = QFontMetricsF(labelFont(true)).height();
    for (const int query : labelledPositions(m_view.seen().top(), m_view.seen().bottom(),
                                             m_view.cellSize().height(), height, firstOf(lit))) {
        const bool isLit = lit && lit->contains(query);
        const QRectF cell = m_view.rectOf({query, 0});
        painter.setFont(labelFont(isLit));
        painter.setPen(isLit ? markColour(palette()) : palette().color(QPalette::Text));
        painter.drawText(QRectF(0, cell.center().y() - height, m_view.place().left() - kLabelGap, 2 * height),
                         Qt::AlignRight | Qt::AlignVCenter,
                         shortened(m_labels.queries.value(query), m_widestQuery, isLit));
    }
}

void MapOverlay::paintKeys(QPainter& painter) const
{
    const std::optional<text::TokenSpan> lit = inside(m_key, m_view.keys());
    const QFontMetricsF metrics(labelFont(true));
    const bool isSlanted = isRotated();
    const double least = isSlanted ? metrics.height() / sine() : longest(size(), m_widestKey) + 4;
    for (const int key : labelledPositions(m_view.seen().left(), m_view.seen().right(),
                                           m_view.cellSize().width(), least, firstOf(lit))) {
        const bool isLit = lit && lit->contains(key);
        const double x = m_view.rectOf({0, key}).center().x();
        const double y = m_view.place().bottom() + 1 + kLabelGap;
        painter.setFont(labelFont(isLit));
        painter.setPen(isLit ? markColour(palette()) : palette().color(QPalette::Text));
        const QString text = shortened(m_labels.keys.value(key), m_widestKey, isLit);
        painter.save();
        if (isSlanted) {
            painter.translate(x, y);
            painter.rotate(kSlant);
            painter.drawText(QPointF(0, (metrics.ascent() - metrics.descent()) / 2), text);
        } else {
            painter.drawText(QPointF(x - QFontMetricsF(painter.font()).horizontalAdvance(text) / 2,
                                     y + metrics.ascent() - 2),
                             text);
        }
        painter.restore();
    }
}

void MapOverlay::paintEdited(QPainter& painter) const
{
    painter.save();
    painter.setClipRect(m_view.place());
    painter.setRenderHint(QPainter::Antialiasing);
    const QRectF all = m_view.rectOf({0, 0}).united(m_view.rectOf({m_view.queries() - 1, m_view.keys() - 1}));
    for (const QRectF& cells : m_edited)
        render::paintHatching(painter, render::placeIn(all, cells), render::Hatching::Rising, 1, 1,
                              palette().color(QPalette::Window).rgb(), palette().color(QPalette::Mid).rgb());
    painter.restore();
}

void MapOverlay::paintMarks(QPainter& painter) const
{
    const QRectF place(m_view.place());
    const std::optional<text::TokenSpan> query = inside(m_query, m_view.queries());
    const std::optional<text::TokenSpan> key = inside(m_key, m_view.keys());
    const text::TokenSpan rows = query.value_or(0);
    const text::TokenSpan columns = key.value_or(0);
    const QRectF cell =
        m_view.rectOf({rows.first, columns.first}).united(m_view.rectOf({rows.last, columns.last}));
    painter.save();
    painter.setClipRect(place.adjusted(-1, -1, 1, 1));
    painter.setBrush(Qt::NoBrush);
    QPen dashes(markColour(palette()), 1);
    dashes.setDashPattern({3, 2});
    painter.setPen(dashes);
    const auto snapped = [](const QRectF& rect) {
        return QRectF(rect.toAlignedRect()).adjusted(-0.5, -0.5, 0.5, 0.5);
    };
    if (query)
        painter.drawRect(snapped(QRectF(place.left(), cell.top(), place.width(), cell.height())));
    if (key)
        painter.drawRect(snapped(QRectF(cell.left(), place.top(), cell.width(), place.height())));
    if (query && key) {
        painter.setPen(QPen(markColour(palette()), 2, Qt::SolidLine, Qt::SquareCap, Qt::MiterJoin));
        painter.drawRect(QRectF(cell.toAlignedRect()).adjusted(-1, -1, 1, 1));
    }
    painter.restore();
}

}  // namespace hs::panels
