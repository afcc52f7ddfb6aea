#include "panels/analyses/effect_curves.h"

#include "panels/widgets/custom_plot.h"
#include "panels/widgets/panel_style.h"
#include "panels/widgets/panel_widgets.h"

#include <QKeyEvent>
#include <QLocale>
#include <QMouseEvent>

#include <algorithm>
#include <cmath>
#include <limits>

namespace hs::panels {
namespace {

constexpr int kLogFrom = 64;            // units from which the axis is logarithmic
constexpr int kMostDots = 48;           // points of a curve up to which each has a dot
constexpr double kCurveReach = 40;      // pixels from a curve within which it is read
constexpr double kLowestEffect = -0.6;  // curves may leave the plot below this
constexpr double kHighestEffect = 1.6;
constexpr double kDimmedCurve = 0.5;
constexpr QSize kTitlesFrom(260, 120);  // size from which there is room for titles beside the curves

}  // namespace

EffectCurves::EffectCurves(QWidget* parent)
    : PlotFrame(parent), m_levelLine(new QCPItemStraightLine(&plot())), m_factor(new QCPItemText(&plot())),
      m_tracer(new QCPItemTracer(&plot()))
{
    setFocusPolicy(Qt::StrongFocus);
    setAccessibleName(tr("Effect by count"));
    setAccessibleDescription(tr("Arrow keys move along the curves, Enter picks a count."));
    plot().xAxis->grid()->setVisible(false);
    plot().yAxis->ticker()->setTickCount(3);
    plot().axisRect()->setAutoMargins(QCP::msLeft | QCP::msBottom);
    plot().axisRect()->setMargins(QMargins(0, 6, 12, 0));
    m_factor->position->setType(QCPItemPosition::ptAxisRectRatio);
    m_factor->position->setCoords(0.985, 0.94);
    m_factor->setPositionAlignment(Qt::AlignRight | Qt::AlignBottom);
    for (Part& part : m_parts)
        part = newPart();
    m_parts[1].title->position->setParentAnchor(m_factor->topRight);
    m_parts[0].title->position->setParentAnchor(m_parts[1].title->topRight);
    m_tracer->setStyle(QCPItemTracer::tsCircle);
    m_tracer->setSize(8);
    m_tracer->setVisible(false);
    applyStyle();
}

EffectCurves::Part EffectCurves::newPart()
{
    Part part;
    part.graph = plot().addGraph();
    part.smallest = new QCPItemLine(&plot());
    part.title = new QCPItemText(&plot());
    part.title->position->setType(QCPItemPosition::ptAbsolute);
    part.title->position->setCoords(0, 0);
    part.title->setPositionAlignment(Qt::AlignRight | Qt::AlignBottom);
    return part;
}

void EffectCurves::setCurves(const std::array<figures::EffectCurve, 2>& curves, double level,
                             const Words& words)
{
    m_curves = curves;
    m_level = level;
    m_words = words;
    if (m_reading && m_reading->index >= curve(m_reading->side).points.size())
        setReading(std::nullopt);
    refill();
}

void EffectCurves::setDimmed(bool isDimmed)
{
    if (isDimmed == m_isDimmed)
        return;
    m_isDimmed = isDimmed;
    applyStyle();
}

void EffectCurves::refill()
{
    scale();
    for (const Side side : kSides)
        fill(side);
    m_levelLine->point1->setCoords(0, m_level);
    m_levelLine->point2->setCoords(1, m_level);
    m_factor->setText(m_words.factor);
    m_factor->setVisible(!m_words.factor.isEmpty());
    plot().xAxis->setLabel(m_words.units);
    plot().yAxis->setLabel(m_words.effect);
    plot().replot(QCustomPlot::rpQueuedReplot);
}

void EffectCurves::fill(Side side)
{
    const Part& part = m_parts[indexOf(side)];
    const figures::EffectCurve& curve = this->curve(side);
    QVector<double> at, effects;
    for (const analyses::CircuitPoint& point : curve.points) {
        at << point.kept;
        effects << point.effect;
    }
    part.graph->setData(at, effects, true);
    const bool hasDots = curve.points.size() <= kMostDots;
    part.graph->setScatterStyle(hasDots ? QCPScatterStyle(QCPScatterStyle::ssDisc, 4) : QCPScatterStyle());
    part.smallest->setVisible(curve.smallest.has_value() && !curve.points.empty());
    if (curve.smallest) {
        part.smallest->start->setCoords(*curve.smallest, plot().yAxis->range().lower);
        part.smallest->end->setCoords(*curve.smallest, m_level);
    }
    part.title->setVisible(!curve.points.empty() && size().expandedTo(kTitlesFrom) == size());
    part.title->setText(curve.points.empty() ? QString()
                        : curve.smallest
                            ? tr("%1: %2 with %3 of %4 %5")
                                  .arg(curve.title, QLocale().toString(m_level),
                                       QLocale().toString(*curve.smallest),
                                       QLocale().toString(curve.points.back().kept), m_words.units)
                            : curve.title);
}

void EffectCurves::scale()
{
    int most = 1;
    double low = 0, high = 1;
    for (const figures::EffectCurve& curve : m_curves)
        for (const analyses::CircuitPoint& point : curve.points) {
            most = std::max(most, point.kept);
            low = std::min(low, point.effect);
            high = std::max(high, point.effect);
        }
    QCPAxis& axis = *plot().xAxis;
    const bool isLogarithmic = most > kLogFrom;
    axis.setScaleType(isLogarithmic ? QCPAxis::stLogarithmic : QCPAxis::stLinear);
    axis.setTicker(isLogarithmic ? QSharedPointer<QCPAxisTicker>(new QCPAxisTickerLog)
                                 : QSharedPointer<QCPAxisTicker>(new QCPAxisTicker));
    axis.ticker()->setTickCount(5);
    axis.setNumberFormat(QStringLiteral("f"));
    axis.setNumberPrecision(0);
    axis.setRange(isLogarithmic ? 0.9 : 0, most * (isLogarithmic ? 1.1 : 1.02));
    plot().yAxis->setRange(std::max(kLowestEffect, low) * 1.05, std::min(kHighestEffect, high) * 1.06);
}

void EffectCurves::applyStyle()
{
    const QColor ground = inks().color(QPalette::Window);
    const double strength = m_isDimmed ? kDimmedCurve : 1;
    QFont bold = smallFont();
    bold.setBold(true);
    for (const Side side : kSides) {
        const Part& part = m_parts[indexOf(side)];
        const QColor colour = mixed(ground, sideColour(side, inks()), strength);
        part.graph->setPen(QPen(colour, 2));
        part.smallest->setPen(QPen(colour, 1, Qt::DotLine));
        part.title->setColor(colour);
        part.title->setFont(smallFont());
        part.title->setBrush(ground);
    }
    m_factor->setColor(inks().color(QPalette::WindowText));
    m_factor->setFont(bold);
    m_factor->setBrush(ground);
    m_levelLine->setPen(QPen(quietInk(inks()), 1, Qt::DashLine));
    m_tracer->setPen(QPen(inks().color(QPalette::WindowText), 1.5));
    m_tracer->setBrush(ground);
    PlotFrame::applyStyle();
}

void EffectCurves::resizeEvent(QResizeEvent* event)
{
    PlotFrame::resizeEvent(event);
    refill();
}

QPointF EffectCurves::pointAt(Side side, int kept) const
{
    const std::vector<analyses::CircuitPoint>& points = curve(side).points;
    const auto found =
        std::find_if(points.begin(), points.end(),
                     [kept](const analyses::CircuitPoint& point) { return point.kept == kept; });
    if (found == points.end())
        return {};
    return QPointF(plot().xAxis->coordToPixel(kept), plot().yAxis->coordToPixel(found->effect)) +
           plot().pos();
}

/// The horizontally nearest point of the vertically nearest curve.
std::optional<EffectCurves::Reading> EffectCurves::readingAt(QPointF position) const
{
    const QPointF inPlot = position - plot().pos();
    std::optional<Reading> nearest;
    double least = kCurveReach;
    for (const Side side : kSides) {
        double closest = std::numeric_limits<double>::infinity();
        std::optional<std::size_t> index;
        const std::vector<analyses::CircuitPoint>& points = curve(side).points;
        for (std::size_t at = 0; at < points.size(); ++at) {
            const double distance = std::abs(plot().xAxis->coordToPixel(points[at].kept) - inPlot.x());
            if (distance < closest) {
                closest = distance;
                index = at;
            }
        }
        if (!index)
            continue;
        const double off = std::abs(plot().yAxis->coordToPixel(points[*index].effect) - inPlot.y());
        if (off < least && closest < kCurveReach) {
            least = off;
            nearest = Reading{side, *index};
        }
    }
    return nearest;
}

QString EffectCurves::textOf(Reading reading) const
{
    const analyses::CircuitPoint& point = curve(reading.side).points[reading.index];
    return tr("%1: first %2 %3, %4 %5")
        .arg(curve(reading.side).title, QLocale().toString(point.kept), m_words.units, m_words.effect,
             formatNumber(point.effect));
}

void EffectCurves::setReading(std::optional<Reading> reading)
{
    if (reading == m_reading)
        return;
    m_reading = reading;
    m_tracer->setVisible(reading.has_value());
    if (reading) {
        const analyses::CircuitPoint& point = curve(reading->side).points[reading->index];
        m_tracer->position->setCoords(point.kept, point.effect);
        setAccessibleDescription(textOf(*reading));
    }
    plot().replot(QCustomPlot::rpQueuedReplot);
}

void EffectCurves::step(int points)
{
    const Side first = curve(Side::Left).points.empty() ? Side::Right : Side::Left;
    const Reading now = m_reading.value_or(Reading{first, 0});
    const int last = static_cast<int>(curve(now.side).points.size()) - 1;
    if (last < 0)
        return;
    const int next = m_reading ? static_cast<int>(now.index) + points : 0;
    setReading(Reading{now.side, static_cast<std::size_t>(std::clamp(next, 0, last))});
}

void EffectCurves::mouseMoveEvent(QMouseEvent* event)
{
    setReading(readingAt(event->position()));
    showTip(event->position().toPoint(), m_reading ? textOf(*m_reading) : QString());
}

void EffectCurves::mousePressEvent(QMouseEvent* event)
{
    const auto reading = readingAt(event->position());
    if (event->button() != Qt::LeftButton || !reading)
        return PlotFrame::mousePressEvent(event);
    setReading(reading);
    Q_EMIT countPicked(reading->side, curve(reading->side).points[reading->index].kept);
}

void EffectCurves::leaveEvent(QEvent*)
{
    setReading(std::nullopt);
}

void EffectCurves::keyPressEvent(QKeyEvent* event)
{
    switch (event->key()) {
    case Qt::Key_Left: return step(-1);
    case Qt::Key_Right: return step(1);
    case Qt::Key_Up:
    case Qt::Key_Down:
        if (m_reading && !curve(otherSide(m_reading->side)).points.empty()) {
            const Side other = otherSide(m_reading->side);
            setReading(Reading{other, std::min(m_reading->index, curve(other).points.size() - 1)});
        }
        return;
    case Qt::Key_Return:
    case Qt::Key_Enter:
    case Qt::Key_Space:
        if (m_reading)
            Q_EMIT countPicked(m_reading->side, curve(m_reading->side).points[m_reading->index].kept);
        return;
    case Qt::Key_Escape: return setReading(std::nullopt);
    default: PlotFrame::keyPressEvent(event);
    }
}

}  // namespace hs::panels
