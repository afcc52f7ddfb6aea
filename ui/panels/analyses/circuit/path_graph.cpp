#include "panels/analyses/circuit/path_graph.h"

#include "panels/widgets/panel_style.h"
#include "panels/widgets/panel_widgets.h"

#include <QFontMetricsF>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>

#include <algorithm>
#include <cmath>
#include <set>

namespace hs::panels {
namespace {

constexpr double kThinnestPath = 0.8;  // pixels
constexpr double kWidestPath = 5;
constexpr double kNodeRadius = 3;
constexpr double kDotFrom = 5;      // pixels between heads from which all of them have dots
constexpr double kInputOffset = 4;  // of queries and values beside a head
constexpr double kBend = 0.12;      // of a line's height, by which its middle gives way to heads between
constexpr double kPathReach = 7;    // pixels from a line within which it is pointed at
constexpr double kDimmedGraph = 0.45;
constexpr int kHitSteps = 24;

}  // namespace

PathGraph::PathGraph(QWidget* parent) : QWidget(parent)
{
    setAccessibleName(tr("Paths between heads"));
    setAccessibleDescription(tr("The bars beside it list the same paths."));
    setMouseTracking(true);
}

void PathGraph::setPaths(std::array<PathLines, 2> sides)
{
    m_sides = std::move(sides);
    update();
}

void PathGraph::setDimmed(bool isDimmed)
{
    m_isDimmed = isDimmed;
    update();
}

QFont PathGraph::smallFont() const
{
    QFont small = font();
    if (small.pointSizeF() > 0)
        small.setPointSizeF(0.88 * small.pointSizeF());
    return small;
}

QRectF PathGraph::areaOf(Side side) const
{
    const bool hasBoth =
        std::ranges::none_of(m_sides, [](const PathLines& one) { return one.lines.empty(); });
    QRectF area(rect());
    if (hasBoth) {
        area.setWidth(area.width() / 2);
        if (side == Side::Right)
            area.moveLeft(area.width());
    }
    return area.adjusted(4, 2, -4, -2);
}

QRectF PathGraph::plotOf(Side side) const
{
    const QFontMetricsF metrics(smallFont());
    const int last = std::max(0, paths(side).shape.layers - 1);
    return areaOf(side).adjusted(metrics.horizontalAdvance(QStringLiteral("L%1").arg(last)) + 6,
                                 metrics.height() + 2, 0, 0);
}

QPointF PathGraph::pointOf(Side side, HeadId head) const
{
    const QRectF plot = plotOf(side);
    const HeadShape& shape = paths(side).shape;
    return {plot.left() + plot.width() * (head.head + 0.5) / std::max(1, shape.heads),
            plot.bottom() - plot.height() * (head.layer + 0.5) / (shape.layers + 1)};
}

QPointF PathGraph::endOf(Side side, const engine::PathEnd& end) const
{
    const QRectF plot = plotOf(side);
    const double offset = kInputOffset * (static_cast<int>(end.input) - 1);
    if (end.input == engine::PathInput::Logits)
        return {plot.center().x(), pointOf(side, {paths(side).shape.layers, 0}).y()};
    return pointOf(side, end.head) + QPointF(offset, 0);
}

QPainterPath PathGraph::curveOf(Side side, const PathLine& line) const
{
    const QPointF from = pointOf(side, line.from);
    const QPointF to = endOf(side, line.to);
    const double bend = kBend * (from.y() - to.y()) * (from.x() <= to.x() ? -1 : 1);
    QPainterPath curve(from);
    curve.quadTo((from + to) / 2 + QPointF(bend, 0), to);
    return curve;
}

QPointF PathGraph::middleOf(Side side, int rank) const
{
    return curveOf(side, paths(side).lines[static_cast<std::size_t>(rank)]).pointAtPercent(0.5);
}

/// The nearest line; of two, the more important one.
std::optional<PathGraph::Place> PathGraph::lineAt(QPointF position) const
{
    std::optional<Place> nearest;
    double least = kPathReach;
    for (const Side side : kSides)
        for (std::size_t rank = 0; rank < paths(side).lines.size(); ++rank) {
            const QPainterPath curve = curveOf(side, paths(side).lines[rank]);
            for (int step = 0; step <= kHitSteps; ++step) {
                const QPointF way = curve.pointAtPercent(step / double(kHitSteps)) - position;
                if (const double distance = std::hypot(way.x(), way.y()); distance < least - 0.5) {
                    least = distance;
                    nearest = Place{side, static_cast<int>(rank)};
                }
            }
        }
    return nearest;
}

void PathGraph::draw(QPainter& painter, const QPalette& inks) const
{
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setFont(smallFont());
    for (const Side side : kSides) {
        if (paths(side).lines.empty())
            continue;
        drawGround(painter, side, inks);
        drawLines(painter, side, inks);
        drawNames(painter, side, inks);
    }
}

/// Title, layers and a dot for every head where there is room.
void PathGraph::drawGround(QPainter& painter, Side side, const QPalette& inks) const
{
    const QFontMetricsF metrics(painter.font());
    const QRectF area = areaOf(side);
    const QRectF plot = plotOf(side);
    const HeadShape& shape = paths(side).shape;
    painter.setPen(sideColour(side, inks));
    painter.drawText(area, Qt::AlignTop | Qt::AlignHCenter,
                     metrics.elidedText(paths(side).title, Qt::ElideMiddle, area.width()));
    const double band = plot.height() / (shape.layers + 1);
    const int stride = std::max(1, static_cast<int>(std::ceil(metrics.height() / band)));
    const bool hasDots = std::min(band, plot.width() / std::max(1, shape.heads)) >= kDotFrom;
    for (int layer = 0; layer < shape.layers; ++layer) {
        const double y = pointOf(side, {layer, 0}).y();
        painter.setPen(quietInk(inks));
        if (layer % stride == 0)
            painter.drawText(QRectF(area.left(), y - metrics.height() / 2, plot.left() - area.left() - 4,
                                    metrics.height()),
                             Qt::AlignRight | Qt::AlignVCenter, QStringLiteral("L%1").arg(layer));
        painter.setPen(Qt::NoPen);
        painter.setBrush(mixed(inks.color(QPalette::Window), quietInk(inks), 0.4));
        for (int head = 0; hasDots && head < shape.headsOf(layer); ++head)
            painter.drawEllipse(pointOf(side, {layer, head}), 1, 1);
    }
}

void PathGraph::drawLines(QPainter& painter, Side side, const QPalette& inks) const
{
    const std::vector<PathLine>& lines = paths(side).lines;
    double most = 0;
    for (const PathLine& line : lines)
        most = std::max(most, std::abs(line.effect));
    painter.setBrush(Qt::NoBrush);
    for (auto line = lines.rbegin(); line != lines.rend(); ++line) {
        const double share = most > 0 ? std::abs(line->effect) / most : 0;
        const QColor ink = line->effect < 0 ? markColour(inks) : sideColour(side, inks);
        painter.setPen(QPen(mixed(inks.color(QPalette::Window), ink, 0.35 + 0.65 * share),
                            kThinnestPath + (kWidestPath - kThinnestPath) * share, Qt::SolidLine,
                            Qt::RoundCap));
        painter.drawPath(curveOf(side, *line));
    }
}

/// The heads that lines join, named in the order of their importance as far as there is room.
void PathGraph::drawNames(QPainter& painter, Side side, const QPalette& inks) const
{
    std::vector<std::pair<QPointF, QString>> nodes;
    std::set<QString> seen;
    const auto add = [&](QPointF at, const QString& name) {
        if (seen.insert(name).second)
            nodes.emplace_back(at, name);
    };
    for (const PathLine& line : paths(side).lines) {
        add(pointOf(side, line.from), QString::fromStdString(toString(line.from)));
        if (line.to.input == engine::PathInput::Logits)
            add(endOf(side, line.to), tr("logits"));
        else
            add(pointOf(side, line.to.head), QString::fromStdString(toString(line.to.head)));
    }
    const QFontMetricsF metrics(painter.font());
    std::vector<QRectF> taken;
    for (const auto& [at, name] : nodes) {
        taken.emplace_back(at - QPointF(kNodeRadius, kNodeRadius), QSizeF(2 * kNodeRadius, 2 * kNodeRadius));
        painter.setPen(QPen(inks.color(QPalette::Window), 1));
        painter.setBrush(inks.color(QPalette::WindowText));
        painter.drawEllipse(taken.back());
    }
    QColor ground = inks.color(QPalette::Window);
    ground.setAlphaF(0.75F);
    for (const auto& [at, name] : nodes) {
        const double away = kNodeRadius + kInputOffset + 2;
        const QSizeF size(metrics.horizontalAdvance(name) + 2, metrics.height());
        const QPointF middle(-size.width() / 2, -size.height() / 2);
        for (const QPointF& offset :
             {QPointF(away - middle.x(), 0), QPointF(middle.x() - away, 0),
              QPointF(0, middle.y() - kNodeRadius), QPointF(0, kNodeRadius - middle.y())}) {
            const QRectF place(at + offset + middle, size);
            if (!areaOf(side).contains(place) ||
                std::ranges::any_of(taken, [&](const QRectF& other) { return other.intersects(place); }))
                continue;
            taken.push_back(place);
            painter.fillRect(place, ground);
            painter.setPen(inks.color(QPalette::WindowText));
            painter.drawText(place, Qt::AlignCenter, name);
            break;
        }
    }
}

void PathGraph::paintEvent(QPaintEvent* /*event*/)
{
    QPainter painter(this);
    painter.setOpacity(m_isDimmed ? kDimmedGraph : 1);
    draw(painter, palette());
}

void PathGraph::mouseMoveEvent(QMouseEvent* event)
{
    const std::optional<Place> place = lineAt(event->position());
    QToolTip::showText(
        event->globalPosition().toPoint(),
        place ? paths(place->side).lines[static_cast<std::size_t>(place->rank)].words : QString(), this);
}

void PathGraph::mousePressEvent(QMouseEvent* event)
{
    if (const std::optional<Place> place = lineAt(event->position()))
        Q_EMIT picked(place->side, place->rank, event->modifiers());
}

}  // namespace hs::panels
