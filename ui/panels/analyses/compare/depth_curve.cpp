#include "panels/analyses/compare/depth_curve.h"

#include "panels/widgets/custom_plot.h"
#include "panels/widgets/panel_style.h"
#include "panels/widgets/panel_widgets.h"

#include <QLocale>
#include <QMouseEvent>

#include <algorithm>
#include <cmath>

namespace hs::panels {
namespace {

constexpr double kDimmedDepth = 0.5;
constexpr double kDepthBand = 0.18;      // of the ink
constexpr double kDepthHeadroom = 1.06;  // above the farthest head
constexpr int kMostDepthDots = 48;       // layers up to which each has a dot

}  // namespace

DepthCurve::DepthCurve(QWidget* parent)
    : PlotFrame(parent), m_largest(plot().addGraph()), m_mean(plot().addGraph()),
      m_tracer(new QCPItemTracer(&plot()))
{
    setMouseTracking(true);
    setAccessibleName(tr("Change by layer"));
    plot().xAxis->setLabel(tr("layer"));
    plot().xAxis->grid()->setVisible(false);
    plot().yAxis->ticker()->setTickCount(3);
    plot().axisRect()->setAutoMargins(QCP::msLeft | QCP::msBottom);
    plot().axisRect()->setMargins(QMargins(0, 6, 12, 0));
    m_tracer->setStyle(QCPItemTracer::tsCircle);
    m_tracer->setSize(8);
    m_tracer->setVisible(false);
    applyStyle();
}

void DepthCurve::setLayers(std::vector<analyses::LayerChange> layers, const QString& distance)
{
    m_layers = std::move(layers);
    point(std::nullopt);
    QVector<double> at, means, largest;
    for (const analyses::LayerChange& layer : m_layers) {
        at << static_cast<double>(at.size());
        means << layer.mean;
        largest << layer.largest;
    }
    m_mean->setData(at, means, true);
    m_largest->setData(at, largest, true);
    m_mean->setScatterStyle(at.size() <= kMostDepthDots ? QCPScatterStyle(QCPScatterStyle::ssDisc, 4)
                                                        : QCPScatterStyle());
    const double last = std::max<double>(static_cast<double>(at.size()) - 1, 1);
    const double high = largest.isEmpty() ? 0 : *std::ranges::max_element(largest);
    const QSharedPointer<QCPAxisTickerFixed> whole(new QCPAxisTickerFixed);  // there is no layer 2.5
    whole->setTickStep(1);
    whole->setScaleStrategy(QCPAxisTickerFixed::ssMultiples);
    whole->setTickCount(6);
    plot().xAxis->setTicker(whole);
    plot().xAxis->setRange(-0.02 * last, 1.02 * last);
    plot().yAxis->setRange(0, high > 0 ? kDepthHeadroom * high : 1);
    plot().yAxis->setLabel(distance);
    plot().replot(QCustomPlot::rpQueuedReplot);
}

void DepthCurve::setDimmed(bool isDimmed)
{
    if (isDimmed == m_isDimmed)
        return;
    m_isDimmed = isDimmed;
    applyStyle();
}

QString DepthCurve::textOf(std::size_t layer) const
{
    const analyses::LayerChange& change = m_layers[layer];
    return tr("Layer %1: %2 on average, %3 in %4")
        .arg(layer)
        .arg(QLocale().toString(change.mean, 'g', 3), QLocale().toString(change.largest, 'g', 3),
             QString::fromStdString(toString(change.farthest)));
}

void DepthCurve::applyStyle()
{
    const QColor ground = inks().color(QPalette::Window);
    const QColor ink = mixed(ground, inks().color(QPalette::WindowText), m_isDimmed ? kDimmedDepth : 1);
    m_mean->setPen(QPen(ink, 2));
    m_largest->setPen(Qt::NoPen);
    m_largest->setBrush(mixed(ground, ink, kDepthBand));
    m_tracer->setPen(QPen(ink, 1.5));
    m_tracer->setBrush(ground);
    PlotFrame::applyStyle();
}

void DepthCurve::mouseMoveEvent(QMouseEvent* event)
{
    const double place = std::round(plot().xAxis->pixelToCoord(event->position().x()));
    const bool isLayer = place >= 0 && place < static_cast<double>(m_layers.size());
    point(isLayer ? std::optional(static_cast<std::size_t>(place)) : std::nullopt);
    showTip(event->pos(), isLayer ? textOf(static_cast<std::size_t>(place)) : QString());
}

void DepthCurve::leaveEvent(QEvent* event)
{
    point(std::nullopt);
    PlotFrame::leaveEvent(event);
}

void DepthCurve::point(std::optional<std::size_t> layer)
{
    m_tracer->setVisible(layer.has_value());
    m_tracer->setGraph(layer ? m_mean : nullptr);
    if (layer)
        m_tracer->setGraphKey(static_cast<double>(*layer));
    plot().replot(QCustomPlot::rpQueuedReplot);
}

}  // namespace hs::panels
