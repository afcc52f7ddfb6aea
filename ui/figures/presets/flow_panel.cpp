#include "figures/presets/flow_panel.h"

#include "figures/parts/cell_image.h"
#include "figures/parts/sheet.h"
#include "render/translate.h"

#include <QLocale>

#include <algorithm>
#include <array>
#include <cmath>

namespace hs::figures {
namespace {

constexpr double kUsualEdges = 400;        // up to this many have full line width
constexpr double kThinnest = 0.35;         // share of it
constexpr double kFlowHeightShare = 0.72;  // of the plot's width
constexpr double kLeastBand = 7;           // points
constexpr double kLargestBand = 34;
constexpr double kLongestToken = 7;     // in small text sizes
constexpr double kHandleShare = 0.28;   // of a layer's height: the curves' handles
constexpr double kLeastStreamStep = 4;  // points
constexpr double kSelfShare = 0.4;      // of a layer's height
constexpr QRgb kStreamOnDark = 0xff3a4048;

TextStyle flowLabelStyle(const Form& form)
{
    return {form.smallSize(), QFont::Normal, render::FigureStyle::kQuietInk, {}};
}

QString grouped(std::size_t number)
{
    return QLocale(QLocale::English).toString(static_cast<qulonglong>(number));
}

int levelOf(float weight)
{
    return std::clamp(static_cast<int>(std::lround(255 * static_cast<double>(weight))), 0, 255);
}

/// One in how many places has room for a label of `length` if places are `step` apart.
int strideFor(double length, double step)
{
    return std::max(1, static_cast<int>(std::ceil(length / std::max(step, 1e-6))));
}

}  // namespace

FlowPanelLayout::FlowPanelLayout(const FlowPanel& panel, const FlowFigure& figure, const Form& form,
                                 double width, int layers)
    : m_panel(panel), m_figure(figure), m_form(form), m_width(width), m_layers(layers)
{
    Drawing measure(form.fontFamily);
    m_top = drawHeading(measure, {}, panel.title, countLine(), width, form) + 0.3 * form.fontSize;
    const TextStyle style = flowLabelStyle(form);
    m_left = measure.widthOf(QStringLiteral("L%1").arg(layers - 1), style) + 0.7 * style.size;
    const auto tokens = static_cast<double>(std::max<std::size_t>(1, figure.tokens.size()));
    const double plot = width - m_left;
    m_step = plot / tokens;
    m_band = std::clamp(kFlowHeightShare * plot / layers, kLeastBand, kLargestBand);
    double widest = 0;
    for (std::size_t token = 0; token < figure.tokens.size(); ++token)
        widest = std::max(widest, textLength(static_cast<int>(token)));
    const bool isLevel = widest + 0.4 * style.size <= m_step;
    m_labelHeight = isLevel ? 1.2 * style.size : std::max(1.6 * style.size, widest + 0.5 * style.size);
}

double FlowPanelLayout::textLength(int token) const
{
    const double longest = kLongestToken * m_form.smallSize();
    return std::min(longest, render::textWidth(m_figure.tokens[static_cast<std::size_t>(token)],
                                               m_form.smallSize(), QFont::Normal, m_form.fontFamily));
}

QString FlowPanelLayout::countLine() const
{
    return m_panel.edges.size() == 1
               ? tr("1 edge above %1").arg(m_figure.threshold)
               : tr("%1 edges above %2").arg(grouped(m_panel.edges.size())).arg(m_figure.threshold);
}

double FlowPanelLayout::height() const
{
    return m_top + m_layers * m_band + 0.5 * m_form.smallSize() + m_labelHeight;
}

QPointF FlowPanelLayout::pass(int token, double level) const
{
    return {(token + 0.5) * m_step, -level * m_band};
}

void FlowPanelLayout::draw(Drawing& drawing, QPointF at) const
{
    drawHeading(drawing, at, m_panel.title, countLine(), m_width, m_form);
    const QPointF corner = at + QPointF(m_left, m_top + m_layers * m_band);
    const render::ColourMap map = render::ColourMap::named(m_form.colourMap);
    if (map.startsDark())
        drawing.rect(QRectF(corner.x(), corner.y() - m_panel.layers * m_band, m_width - m_left,
                            m_panel.layers * m_band),
                     {}, map.at(0));
    drawStreams(drawing, corner);
    drawEdges(drawing, corner);
    drawTokens(drawing, corner);
    drawLayers(drawing, corner);
}

void FlowPanelLayout::drawStreams(Drawing& drawing, QPointF corner) const
{
    const int stride = strideFor(kLeastStreamStep, m_step);
    QPainterPath streams;
    for (int token = 0; token < static_cast<int>(m_figure.tokens.size()); token += stride) {
        streams.moveTo(corner + pass(token, 0));
        streams.lineTo(corner + pass(token, m_panel.layers));
    }
    const bool isDark = render::ColourMap::named(m_form.colourMap).startsDark();
    if (!streams.isEmpty())
        drawing.shape(streams, Stroke{isDark ? kStreamOnDark : kStream, m_form.lineWidth, false});
}

void FlowPanelLayout::drawEdges(Drawing& drawing, QPointF corner) const
{
    const std::size_t shown = std::min(m_panel.edges.size(), kMostEdges);
    std::array<QPainterPath, 256> crossing, staying;
    for (std::size_t index = 0; index < shown; ++index) {
        const stats::FlowEdge& edge = m_panel.edges[index];
        const auto level = static_cast<std::size_t>(levelOf(edge.weight));
        const QPointF from = corner + pass(edge.key, edge.head.layer);
        const QPointF to = corner + pass(edge.query, edge.head.layer + 1);
        if (edge.key == edge.query) {
            const QPointF inset = (from - to) * (0.5 - kSelfShare / 2);
            staying[level].moveTo(from - inset);
            staying[level].lineTo(to + inset);
        } else {
            const QPointF handle(0, kHandleShare * (to.y() - from.y()));
            crossing[level].moveTo(from);
            crossing[level].cubicTo(from + handle, to - handle, to);
        }
    }
    const QList<QRgb> colours = cellColours(m_form);
    // Many lines are thinner, so that what is below them shows.
    const double lineWidth =
        m_form.lineWidth *
        std::clamp(std::sqrt(kUsualEdges / static_cast<double>(shown + 1)), kThinnest, 1.0);
    for (std::size_t level = 0; level < 256; ++level) {
        const QRgb colour = colours[static_cast<qsizetype>(level)];
        const double strength = static_cast<double>(level) / 255;
        if (!crossing[level].isEmpty())
            drawing.shape(crossing[level], Stroke{colour, (0.7 + 0.9 * strength) * lineWidth, false});
        if (!staying[level].isEmpty())
            drawing.shape(
                staying[level],
                Stroke{colour, std::min((1.8 + 1.6 * strength) * m_form.lineWidth, 0.35 * m_step), false});
    }
    if (shown < m_panel.edges.size())
        drawing.note(tr("%1: the %2 strongest of %3 edges are drawn; a higher threshold has fewer.")
                         .arg(m_panel.title, grouped(shown), grouped(m_panel.edges.size())));
}

void FlowPanelLayout::drawTokens(Drawing& drawing, QPointF corner) const
{
    const TextStyle style = flowLabelStyle(m_form);
    const double longest = kLongestToken * style.size;
    const int stride = isUpright() ? strideFor(1.15 * style.size, m_step) : 1;
    const double gap = 0.5 * style.size;
    for (int token = 0; token < static_cast<int>(m_figure.tokens.size()); token += stride) {
        const QString text = drawing.elided(m_figure.tokens[static_cast<std::size_t>(token)], style, longest);
        const QPointF foot = corner + pass(token, 0);
        if (isUpright())
            drawing.textUpwards(foot + QPointF(0.36 * style.size, gap), text, style, Align::Right);
        else
            drawing.text(foot + QPointF(0, gap + 0.8 * style.size), text, style, Align::Centre);
    }
    if (stride > 1)
        drawing.note(
            tr("One token in %1 is named below the lines; a wider figure or a shorter prompt names more.")
                .arg(stride));
}

void FlowPanelLayout::drawLayers(Drawing& drawing, QPointF corner) const
{
    const TextStyle style = flowLabelStyle(m_form);
    const int stride = strideFor(1.2 * style.size, m_band);
    for (int layer = 0; layer < m_panel.layers; layer += stride)
        drawing.text(corner + QPointF(-0.5 * style.size, -(layer + 0.5) * m_band + 0.36 * style.size),
                     QStringLiteral("L%1").arg(layer), style, Align::Right);
}

}  // namespace hs::figures
