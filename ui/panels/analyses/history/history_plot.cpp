#include "panels/analyses/history/history_plot.h"

#include "panels/widgets/custom_plot.h"
#include "panels/widgets/panel_style.h"
#include "panels/widgets/panel_widgets.h"
#include "render/spread_apart.h"
#include "render/step_axis.h"

#include <QLocale>
#include <QMouseEvent>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace hs::panels {
namespace {

constexpr double kHistoryReach = 30;   // pixels from a point within which it is read
constexpr double kHistoryRoom = 0.06;  // of the values' range, above and below
constexpr int kNamesWidth = 54;        // to the right of the curves
constexpr double kDimmedHistory = 0.5;
constexpr double kPalestCurve = 0.55;
constexpr double kPalerByRank = 0.07;

render::StepAxis axisOf(const std::array<std::vector<std::int64_t>, 2>& steps)
{
    std::vector<std::int64_t> all = steps[0];
    all.insert(all.end(), steps[1].begin(), steps[1].end());
    return render::StepAxis(all);
}

}  // namespace

HistoryPlot::HistoryPlot(QWidget* parent) : PlotFrame(parent), m_tracer(new QCPItemTracer(&plot()))
{
    setMouseTracking(true);
    setAccessibleName(tr("Heads over training"));
    plot().xAxis->setLabel(tr("step of the training"));
    plot().xAxis->grid()->setVisible(false);
    plot().yAxis->ticker()->setTickCount(4);
    plot().axisRect()->setAutoMargins(QCP::msLeft | QCP::msBottom);
    plot().axisRect()->setMargins(QMargins(0, 6, kNamesWidth, 0));
    for (QCPItemStraightLine*& line : m_shownLines) {
        line = new QCPItemStraightLine(&plot());
        line->setVisible(false);
    }
    m_tracer->setStyle(QCPItemTracer::tsCircle);
    m_tracer->setSize(9);
    m_tracer->setVisible(false);
    applyStyle();
}

HistoryPlot::Part HistoryPlot::newPart()
{
    Part part{plot().addGraph(), plot().addGraph(), new QCPItemText(&plot())};
    part.jump->setLineStyle(QCPGraph::lsNone);
    part.name->setClipToAxisRect(false);
    part.name->position->setType(QCPItemPosition::ptAbsolute);
    part.name->setPositionAlignment(Qt::AlignLeft | Qt::AlignVCenter);
    return part;
}

void HistoryPlot::setCurves(const std::array<std::vector<std::int64_t>, 2>& steps,
                            std::vector<HeadCurve> curves, const QString& metric)
{
    m_steps = steps;
    m_curves = std::move(curves);
    m_metric = metric;
    setReading(std::nullopt);
    for (; m_parts.size() > m_curves.size(); m_parts.pop_back()) {
        plot().removeGraph(m_parts.back().graph);
        plot().removeGraph(m_parts.back().jump);
        plot().removeItem(m_parts.back().name);
    }
    while (m_parts.size() < m_curves.size())
        m_parts.push_back(newPart());
    applyStyle();
    refill();
}

void HistoryPlot::setShown(const std::array<std::optional<std::size_t>, 2>& steps)
{
    m_shown = steps;
    refill();
}

void HistoryPlot::setDimmed(bool isDimmed)
{
    if (isDimmed == m_isDimmed)
        return;
    m_isDimmed = isDimmed;
    applyStyle();
}

void HistoryPlot::refill()
{
    const render::StepAxis steps = axisOf(m_steps);
    scale();
    for (std::size_t index = 0; index < m_curves.size(); ++index) {
        const HeadCurve& curve = m_curves[index];
        const std::vector<std::int64_t>& own = m_steps[indexOf(curve.side)];
        QVector<double> at, values;
        for (std::size_t step = 0; step < curve.values.size(); ++step) {
            at << steps.at(own[step]);
            values << curve.values[step];
        }
        m_parts[index].graph->setData(at, values, true);
        if (curve.jump)
            m_parts[index].jump->setData({at[static_cast<int>(*curve.jump)]},
                                         {values[static_cast<int>(*curve.jump)]});
        else
            m_parts[index].jump->data()->clear();
        m_parts[index].name->setText(QString::fromStdString(toString(curve.head)));
    }
    for (const Side side : kSides) {
        QCPItemStraightLine& line = *m_shownLines[indexOf(side)];
        const auto& shown = m_shown[indexOf(side)];
        const bool isThere = shown && *shown < m_steps[indexOf(side)].size();
        line.setVisible(isThere);
        if (!isThere)
            continue;
        const double at = steps.at(m_steps[indexOf(side)][*shown]);
        line.point1->setCoords(at, 0);
        line.point2->setCoords(at, 1);
    }
    placeNames();
    plot().replot(QCustomPlot::rpQueuedReplot);
}

void HistoryPlot::scale()
{
    const render::StepAxis steps = axisOf(m_steps);
    QCPAxis& axis = *plot().xAxis;
    axis.setScaleType(steps.isLogarithmic() ? QCPAxis::stLogarithmic : QCPAxis::stLinear);
    axis.setTicker(steps.isLogarithmic() ? QSharedPointer<QCPAxisTicker>(new QCPAxisTickerLog)
                                         : QSharedPointer<QCPAxisTicker>(new QCPAxisTicker));
    axis.ticker()->setTickCount(6);
    axis.setNumberFormat(QStringLiteral("f"));
    axis.setNumberPrecision(0);
    axis.setRange(steps.lowest(), steps.highest());
    double least = std::numeric_limits<double>::infinity(), most = -least;
    for (const HeadCurve& curve : m_curves)
        for (const double value : curve.values)
            if (std::isfinite(value)) {
                least = std::min(least, value);
                most = std::max(most, value);
            }
    if (!(least <= most)) {
        least = 0;
        most = 1;
    }
    const double room = std::max(kHistoryRoom * (most - least), 1e-6);
    plot().yAxis->setRange(least - room, most + room);
    plot().yAxis->setLabel(m_metric);
}

/// Names stand at the ends of their curves, and make way for one another; where there is no room for all, each side's first
/// curves have theirs.
void HistoryPlot::placeNames()
{
    std::vector<std::size_t> named(m_curves.size());
    std::iota(named.begin(), named.end(), std::size_t{0});
    for (const std::size_t index : named)
        m_parts[index].name->setVisible(false);
    std::erase_if(named, [&](std::size_t index) { return !lastOf(index); });
    std::ranges::stable_sort(named, {}, [&](std::size_t index) { return rankOf(index); });
    const QRect room = plot().axisRect()->rect();
    const double line = 0.95 * QFontMetricsF(smallFont()).height();
    named.resize(std::min(named.size(), static_cast<std::size_t>(1 + std::max(0.0, room.height() / line))));

    std::vector<std::pair<double, std::size_t>> ends;
    for (const std::size_t index : named)
        ends.emplace_back(plot().yAxis->coordToPixel(*lastOf(index)), index);
    render::spreadApart(ends, line, room.top(), room.bottom());
    for (const auto& [y, index] : ends) {
        m_parts[index].name->position->setCoords(room.right() + 5, y);
        m_parts[index].name->setVisible(true);
    }
}

/// Where a curve ends; none if it has no points.
std::optional<double> HistoryPlot::lastOf(std::size_t curve) const
{
    const std::vector<double>& values = m_curves[curve].values;
    const auto last = std::ranges::find_if(values.rbegin(), values.rend(),
                                           [](double value) { return std::isfinite(value); });
    return last == values.rend() ? std::nullopt : std::optional(*last);
}

/// How many curves of its side come before it.
std::ptrdiff_t HistoryPlot::rankOf(std::size_t curve) const
{
    return std::count_if(m_curves.begin(), m_curves.begin() + static_cast<std::ptrdiff_t>(curve),
                         [&](const HeadCurve& before) { return before.side == m_curves[curve].side; });
}

/// The first curves of a side stand out from the later ones.
double HistoryPlot::strengthOf(std::size_t curve) const
{
    return std::max(kPalestCurve, 1 - kPalerByRank * static_cast<double>(rankOf(curve)));
}

void HistoryPlot::applyStyle()
{
    const QColor ground = inks().color(QPalette::Window);
    const double strength = m_isDimmed ? kDimmedHistory : 1;
    for (std::size_t index = 0; index < m_curves.size(); ++index) {
        const bool isRead = m_reading && m_reading->curve == index;
        const QColor own = sideColour(m_curves[index].side, inks());
        const QColor colour = mixed(ground, own, strength * (isRead ? 1 : strengthOf(index)));
        m_parts[index].graph->setPen(QPen(colour, isRead ? 3 : 1.5));
        m_parts[index].jump->setScatterStyle(
            QCPScatterStyle(QCPScatterStyle::ssDisc, colour, colour, isRead ? 10 : 7));
        QFont font = smallFont();
        font.setBold(isRead);
        m_parts[index].name->setFont(font);
        m_parts[index].name->setColor(colour);
    }
    for (const Side side : kSides)
        m_shownLines[indexOf(side)]->setPen(
            QPen(mixed(ground, sideColour(side, inks()), 0.6), 1, Qt::DashLine));
    m_tracer->setPen(QPen(inks().color(QPalette::WindowText), 1.5));
    m_tracer->setBrush(ground);
    PlotFrame::applyStyle();
}

void HistoryPlot::resizeEvent(QResizeEvent* event)
{
    PlotFrame::resizeEvent(event);
    plot().replot();  // which places the axes that names stand beside
    placeNames();
    plot().replot(QCustomPlot::rpQueuedReplot);
}

std::int64_t HistoryPlot::stepOf(Reading reading) const
{
    return m_steps[indexOf(m_curves[reading.curve].side)][reading.step];
}

QPointF HistoryPlot::placeOf(std::size_t curve, std::size_t step) const
{
    const double at = axisOf(m_steps).at(stepOf({curve, step}));
    return QPointF(plot().xAxis->coordToPixel(at), plot().yAxis->coordToPixel(m_curves[curve].values[step])) +
           plot().pos();
}

std::optional<HistoryPlot::Reading> HistoryPlot::readingAt(QPointF position) const
{
    std::optional<Reading> nearest;
    double least = kHistoryReach;
    for (std::size_t curve = 0; curve < m_curves.size(); ++curve)
        for (std::size_t step = 0; step < m_curves[curve].values.size(); ++step) {
            if (!std::isfinite(m_curves[curve].values[step]))
                continue;
            const QPointF off = placeOf(curve, step) - position;
            if (const double distance = std::hypot(off.x(), off.y()); distance < least) {
                least = distance;
                nearest = Reading{curve, step};
            }
        }
    return nearest;
}

QString HistoryPlot::textOf(Reading reading) const
{
    const HeadCurve& curve = m_curves[reading.curve];
    const QString text = tr("%1 at step %2: %3 %4")
                             .arg(QString::fromStdString(toString(curve.head)),
                                  QLocale().toString(static_cast<qlonglong>(stepOf(reading))), m_metric,
                                  formatNumber(curve.values[reading.step]));
    if (curve.jump != reading.step)
        return text;
    return tr("%1, its largest change: %2 since the step before")
        .arg(text, signedNumber(curve.values[reading.step] - curve.values[reading.step - 1]));
}

void HistoryPlot::setReading(std::optional<Reading> reading)
{
    if (reading == m_reading)
        return;
    m_reading = reading;
    m_tracer->setVisible(reading.has_value());
    if (reading)
        m_tracer->position->setCoords(axisOf(m_steps).at(stepOf(*reading)),
                                      m_curves[reading->curve].values[reading->step]);
    applyStyle();
    plot().replot(QCustomPlot::rpQueuedReplot);
    const Side side = reading ? m_curves[reading->curve].side : Side::Left;
    Q_EMIT headPointed(side, reading ? std::optional(m_curves[reading->curve].head) : std::nullopt);
}

void HistoryPlot::mouseMoveEvent(QMouseEvent* event)
{
    setReading(readingAt(event->position()));
    showTip(event->pos(), m_reading ? textOf(*m_reading) : QString());
}

void HistoryPlot::mousePressEvent(QMouseEvent* event)
{
    const auto reading = readingAt(event->position());
    if (event->button() != Qt::LeftButton || !reading)
        return PlotFrame::mousePressEvent(event);
    Q_EMIT stepPicked(m_curves[reading->curve].side, reading->step);
}

void HistoryPlot::leaveEvent(QEvent* event)
{
    setReading(std::nullopt);
    PlotFrame::leaveEvent(event);
}

}  // namespace hs::panels
