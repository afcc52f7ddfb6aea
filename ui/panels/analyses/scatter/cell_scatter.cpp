#include "panels/analyses/scatter/cell_scatter.h"

#include "panels/widgets/custom_plot.h"
#include "panels/widgets/panel_style.h"
#include "panels/widgets/panel_widgets.h"

#include <QMouseEvent>

#include <algorithm>
#include <cmath>

namespace hs::panels {
namespace {

constexpr double kReach = 7;  // pixels from a point within which it is read
constexpr double kDimmed = 0.5;
constexpr double kLowest = -0.03;  // so that points on the axes are not cut off
constexpr double kHighest = 1.04;
constexpr int kScatterDot = 5;

void keepLargest(std::vector<ScatterPoint>& points)
{
    if (points.size() <= CellScatter::kMostPoints)
        return;
    const auto end = points.begin() + CellScatter::kMostPoints;
    std::nth_element(points.begin(), end, points.end(),
                     [](const ScatterPoint& one, const ScatterPoint& other) {
                         return std::max(one.across, one.up) > std::max(other.across, other.up);
                     });
    points.erase(end, points.end());
}

}  // namespace

CellScatter::CellScatter(QWidget* parent) : PlotFrame(parent), m_tracer(new QCPItemTracer(&plot()))
{
    setAccessibleName(tr("Weights of one head against another"));
    for (const Side side : kSides) {
        QCPGraph* const graph = plot().addGraph();
        graph->setLineStyle(QCPGraph::lsNone);
        m_graphs[indexOf(side)] = graph;
        auto* const title = new QCPItemText(&plot());
        title->setClipToAxisRect(false);
        title->position->setType(QCPItemPosition::ptAxisRectRatio);
        title->position->setCoords(0, 0);
        title->setPositionAlignment(Qt::AlignLeft | Qt::AlignBottom);
        m_titles[indexOf(side)] = title;
    }
    for (QCPAxis* const axis : {plot().xAxis, plot().yAxis}) {
        axis->setRange(kLowest, kHighest);
        axis->ticker()->setTickCount(3);
        axis->setLabelPadding(2);
    }
    m_tracer->setStyle(QCPItemTracer::tsCircle);
    m_tracer->setSize(10);
    m_tracer->setVisible(false);
    applyStyle();
}

void CellScatter::setPoints(std::array<ScatterPoints, 2> sides, const QString& across, const QString& up)
{
    for (ScatterPoints& side : sides)
        keepLargest(side.points);
    if (sides == m_sides && plot().xAxis->label() == across && plot().yAxis->label() == up)
        return;
    plot().xAxis->setLabel(across);
    plot().yAxis->setLabel(up);
    setPointed(std::nullopt);
    m_sides = std::move(sides);
    refill();
}

void CellScatter::setDimmed(bool isDimmed)
{
    if (isDimmed == m_isDimmed)
        return;
    m_isDimmed = isDimmed;
    applyStyle();
}

void CellScatter::refill()
{
    for (const Side side : kSides) {
        QVector<double> across, up;
        for (const ScatterPoint& point : points(side)) {
            across << point.across;
            up << point.up;
        }
        m_graphs[indexOf(side)]->setData(across, up);
        m_titles[indexOf(side)]->setText(m_sides[indexOf(side)].title);
    }
    placeTitles();
    plot().replot(QCustomPlot::rpQueuedReplot);
}

/// Stacked, above the plot.
void CellScatter::placeTitles()
{
    const int line = QFontMetrics(smallFont()).height();
    int lines = 0;
    for (const Side side : {Side::Right, Side::Left}) {
        QCPItemText& title = *m_titles[indexOf(side)];
        title.setPadding(QMargins(0, 0, 0, lines * line));
        lines += title.text().isEmpty() ? 0 : 1;
    }
    plot().axisRect()->setMargins(QMargins(0, lines * line + 2, 8, 0));
}

void CellScatter::applyStyle()
{
    const QColor ground = inks().color(QPalette::Window);
    plot().axisRect()->setAutoMargins(QCP::msLeft | QCP::msBottom);
    placeTitles();
    for (const Side side : kSides) {
        const QColor colour = mixed(ground, sideColour(side, inks()), m_isDimmed ? kDimmed : 1);
        QColor fill = colour;
        fill.setAlphaF(0.55f);
        m_graphs[indexOf(side)]->setPen(QPen(colour, 1));
        m_graphs[indexOf(side)]->setScatterStyle(
            QCPScatterStyle(QCPScatterStyle::ssCircle, QPen(colour, 1), QBrush(fill), kScatterDot));
        m_titles[indexOf(side)]->setColor(colour);
        m_titles[indexOf(side)]->setFont(smallFont());
    }
    m_tracer->setPen(QPen(markColour(inks()), 2));
    m_tracer->setBrush(Qt::NoBrush);
    PlotFrame::applyStyle();
}

QPointF CellScatter::place(const ScatterPoint& point) const
{
    return QPointF(plot().xAxis->coordToPixel(point.across), plot().yAxis->coordToPixel(point.up)) +
           plot().pos();
}

std::optional<CellScatter::Pointed> CellScatter::pointAt(QPointF position) const
{
    std::optional<Pointed> nearest;
    double least = kReach;
    for (const Side side : kSides)
        for (std::size_t index = 0; index < points(side).size(); ++index) {
            const QPointF apart = place(points(side)[index]) - position;
            const double distance = std::hypot(apart.x(), apart.y());
            // The right side's points are drawn over the left's.
            if (distance < least || (nearest && distance == least && side != nearest->side)) {
                least = distance;
                nearest = Pointed{side, index};
            }
        }
    return nearest;
}

void CellScatter::setPointed(std::optional<Pointed> pointed)
{
    if (pointed == m_pointed)
        return;
    m_pointed = pointed;
    m_tracer->setVisible(pointed.has_value());
    if (pointed) {
        const ScatterPoint& point = points(pointed->side)[pointed->index];
        m_tracer->position->setCoords(point.across, point.up);
    }
    setCursor(pointed ? Qt::PointingHandCursor : Qt::ArrowCursor);
    plot().replot(QCustomPlot::rpQueuedReplot);
    Q_EMIT pointedChanged();
}

void CellScatter::mouseMoveEvent(QMouseEvent* event)
{
    setPointed(pointAt(event->position()));
}

void CellScatter::mousePressEvent(QMouseEvent* event)
{
    const auto pointed = pointAt(event->position());
    if (event->button() != Qt::LeftButton || !pointed)
        return PlotFrame::mousePressEvent(event);
    setPointed(pointed);
    Q_EMIT cellPicked(points(pointed->side)[pointed->index].cell);
}

void CellScatter::leaveEvent(QEvent*)
{
    setPointed(std::nullopt);
}

}  // namespace hs::panels
