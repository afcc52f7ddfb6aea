#include "figures/presets/graph_panel.h"

#include "figures/parts/sheet.h"
#include "render/translate.h"

#include <algorithm>
#include <cmath>

namespace hs::figures {
namespace {

using Kind = features::GraphNode::Kind;

constexpr double kDisc = 0.34;          // radius of a feature, in text sizes
constexpr double kUprightToken = 1.2;   // width of an upright token, in sizes of its text
constexpr double kDiscGap = 0.3;        // between discs
constexpr double kGraphPadding = 0.45;  // of a box
constexpr double kLongestName = 8;      // in text sizes
constexpr double kGraphHeight = 0.75;   // of the width
constexpr double kLeastLevel = 1.75;    // in text sizes
constexpr double kHighestLevel = 4.2;
constexpr double kThinEdge = 0.4;  // in line widths
constexpr double kWideEdge = 4.5;
constexpr double kPaleEdge = 0.16;  // share of its colour that the weakest edge has

TextStyle graphText(const Form& form)
{
    return {form.smallSize(), QFont::Normal, render::FigureStyle::kQuietInk, {}};
}

TextStyle graphNameStyle(const Form& form)
{
    return {form.smallSize(), QFont::DemiBold, render::FigureStyle::kInk, {}};
}

QRgb mixedWithPaper(QRgb ink, double share)
{
    const auto part = [share](int value) {
        return static_cast<int>(std::lround(255 + share * (value - 255)));
    };
    return qRgb(part(qRed(ink)), part(qGreen(ink)), part(qBlue(ink)));
}

QPainterPath diamond(QPointF centre, double radius)
{
    QPainterPath path(centre + QPointF(0, -radius));
    path.lineTo(centre + QPointF(radius, 0));
    path.lineTo(centre + QPointF(0, radius));
    path.lineTo(centre + QPointF(-radius, 0));
    path.closeSubpath();
    return path;
}

QPainterPath disc(QPointF centre, double radius)
{
    QPainterPath path;
    path.addEllipse(centre, radius, radius);
    return path;
}

}  // namespace

GraphPanelLayout::GraphPanelLayout(const GraphPanel& panel, const GraphFigure& figure, const Form& form,
                                   double width, int layers, bool areTokensUpright)
    : m_panel(panel), m_figure(figure), m_form(form), m_width(width), m_areTokensUpright(areTokensUpright)
{
    Drawing measure(form.fontFamily);
    m_top = drawHeading(measure, {}, panel.title, panel.counts, width, form);
    const auto isLogit = [](const ViewNode& node) { return node.kind == Kind::Logit; };
    m_areLogitsUpright = std::ranges::count_if(panel.view.nodes, isLogit) > 1;
    const double left = measure.widthOf(QStringLiteral("L%1").arg(std::max(0, layers - 1)), graphText(form)) +
                        0.6 * form.fontSize;
    const double plot = width - left;
    const double band = std::clamp(kGraphHeight * plot / (layers + 2), kLeastLevel * form.fontSize,
                                   kHighestLevel * form.fontSize);
    const double top = m_top + logitHeight();
    NodeWishes wishes = this->wishes();
    m_hasRoomForTokens = wishes.leastWidth(panel.view) <= plot;
    if (m_areTokensUpright) {
        wishes.columns.assign(wishes.columns.size(), kUprightToken * form.smallSize());
        if (wishes.leastWidth(panel.view) > plot)
            wishes.columns.clear();
    }
    const std::vector<double> widths = wishes.within(panel.view, plot);
    for (std::size_t node = 0; node < widths.size(); ++node)
        m_isNamed.push_back(widths[node] > wishes.bare[node]);
    m_layout =
        GraphLayout(panel.view, {left, top, plot, band * (panel.view.layers + 2)}, widths, wishes.columns);
}

NodeWishes GraphPanelLayout::wishes() const
{
    const Drawing measure(m_form.fontFamily);
    NodeWishes wishes;
    for (std::size_t node = 0; node < m_panel.view.nodes.size(); ++node) {
        const double name = std::min(measure.widthOf(m_panel.names[node], graphNameStyle(m_form)),
                                     kLongestName * m_form.fontSize) +
                            (2 * kGraphPadding + kDiscGap) * m_form.fontSize;
        const Kind kind = m_panel.view.nodes[node].kind;
        wishes.bare.push_back(kind != Kind::Logit  ? (2 * kDisc + kDiscGap) * m_form.fontSize
                              : m_areLogitsUpright ? 1.35 * m_form.smallSize()
                                                   : name);
        wishes.named.push_back(kind == Kind::Feature && !m_panel.names[node].isEmpty() ? name
                                                                                       : wishes.bare.back());
    }
    for (int token = 0; token < m_panel.view.tokens; ++token)
        wishes.columns.push_back(
            measure.widthOf(m_figure.tokens[static_cast<std::size_t>(token)], graphText(m_form)) +
            0.4 * m_form.fontSize);
    return wishes;
}

double GraphPanelLayout::logitHeight() const
{
    if (!m_areLogitsUpright)
        return 1.2 * m_form.smallSize();
    const Drawing measure(m_form.fontFamily);
    double most = 0;
    for (std::size_t node = 0; node < m_panel.view.nodes.size(); ++node)
        if (m_panel.view.nodes[node].kind == Kind::Logit)
            most = std::max(most, measure.widthOf(m_panel.names[node], graphNameStyle(m_form)));
    return std::min(most, kLongestName * m_form.fontSize) + 0.4 * m_form.fontSize;
}

double GraphPanelLayout::tokenHeight() const
{
    if (!m_areTokensUpright)
        return 1.4 * m_form.smallSize();
    const Drawing measure(m_form.fontFamily);
    double most = 0;
    for (const QString& token : m_figure.tokens)
        most = std::max(most, measure.widthOf(token, graphText(m_form)));
    return std::min(most, kLongestName * m_form.fontSize) + 0.5 * m_form.fontSize;
}

double GraphPanelLayout::height() const
{
    return m_layout.plot().bottom() + tokenHeight();
}

void GraphPanelLayout::draw(Drawing& drawing, QPointF at) const
{
    drawHeading(drawing, at, m_panel.title, m_panel.counts, m_width, m_form);
    drawLayers(drawing, at);
    drawEdges(drawing, at);
    drawNodes(drawing, at);
    drawTokens(drawing, at);
}

void GraphPanelLayout::drawLayers(Drawing& drawing, QPointF at) const
{
    const TextStyle style = graphText(m_form);
    const QRectF plot = m_layout.plot().translated(at);
    const int stride = std::max(1, static_cast<int>(std::ceil(1.2 * style.size / m_layout.band())));
    for (int layer = 0; layer < m_panel.view.layers; ++layer) {
        const double y = at.y() + m_layout.levelAt(layer + 1);
        drawing.line(
            {plot.left(), y}, {plot.right(), y},
            Stroke{mixedWithPaper(render::FigureStyle::kFrame, 0.45), 0.6 * m_form.lineWidth, false});
        if (layer % stride == 0)
            drawing.text({plot.left() - 0.4 * m_form.fontSize, y + 0.36 * style.size},
                         QStringLiteral("L%1").arg(layer), style, Align::Right);
    }
}

void GraphPanelLayout::drawEdges(Drawing& drawing, QPointF at) const
{
    const std::vector<ViewEdge>& edges = m_panel.view.edges;
    const std::size_t shown = std::min(edges.size(), kMostEdges);
    const double most = edges.empty() ? 1 : std::max(std::abs(edges.front().weight), 1e-12);
    for (std::size_t index = shown; index-- > 0;) {
        const double strength = std::abs(edges[index].weight) / most;
        const QRgb ink = mixedWithPaper(edges[index].weight < 0 ? kTakes : kAdds,
                                        kPaleEdge + (1 - kPaleEdge) * std::sqrt(strength));
        drawing.shape(
            m_layout.path(edges[index]).translated(at),
            Stroke{ink, (kThinEdge + (kWideEdge - kThinEdge) * strength) * m_form.lineWidth, false});
    }
    if (shown < edges.size())
        drawing.note(tr("%1: the %2 strongest of %3 edges are drawn; a smaller share has fewer.")
                         .arg(m_panel.title)
                         .arg(shown)
                         .arg(edges.size()));
}

void GraphPanelLayout::drawNodes(Drawing& drawing, QPointF at) const
{
    for (std::size_t node = 0; node < m_panel.view.nodes.size(); ++node)
        drawNode(drawing, at, node);
}

void GraphPanelLayout::drawNode(Drawing& drawing, QPointF at, std::size_t node) const
{
    const QPointF centre = m_layout.place(static_cast<int>(node)) + at;
    const double fitting = 0.42 * m_layout.room(static_cast<int>(node));
    const double radius = std::min(kDisc * m_form.fontSize, std::max(fitting, 0.5));
    const Stroke rim{render::FigureStyle::kPaper, 0.8 * m_form.lineWidth, false};
    const Stroke outline{render::FigureStyle::kQuietInk, m_form.lineWidth, false};
    switch (m_panel.view.nodes[node].kind) {
    case Kind::Feature:
        if (m_isNamed[node])
            return drawBox(drawing, centre, node);
        if (!m_panel.view.nodes[node].isGroup)
            return drawing.shape(disc(centre, radius), rim, render::FigureStyle::kInk);
        drawing.shape(disc(centre, radius), Stroke{render::FigureStyle::kInk, m_form.lineWidth, false},
                      render::FigureStyle::kPaper);
        return drawing.shape(disc(centre, 0.55 * radius), std::nullopt, render::FigureStyle::kInk);
    case Kind::Error:
        return drawing.shape(diamond(centre, 0.85 * radius), outline, render::FigureStyle::kPaper);
    case Kind::Logit: return drawLogit(drawing, centre, node);
    case Kind::Constant:
        return drawing.rect(QRectF(centre - QPointF(radius, radius), centre + QPointF(radius, radius)),
                            outline, render::FigureStyle::kPaper);
    case Kind::Token:
    case Kind::Position: break;
    }
    drawing.rect(QRectF(centre - QPointF(radius, radius), centre + QPointF(radius, radius)), rim,
                 render::FigureStyle::kQuietInk);
}

void GraphPanelLayout::drawBox(Drawing& drawing, QPointF centre, std::size_t node) const
{
    const double room = m_layout.room(static_cast<int>(node)) - 0.8 * kDiscGap * m_form.fontSize;
    const double height = 1.45 * m_form.smallSize();
    const QRectF box(centre.x() - room / 2, centre.y() - height / 2, room, height);
    drawing.rect(box, Stroke{render::FigureStyle::kInk, 1.4 * m_form.lineWidth, false},
                 render::FigureStyle::kPaper, 0.35 * height);
    drawing.text({centre.x(), centre.y() + 0.36 * m_form.smallSize()},
                 drawing.elided(m_panel.names[node], graphNameStyle(m_form),
                                room - 1.4 * kGraphPadding * m_form.fontSize),
                 graphNameStyle(m_form), Align::Centre);
}

void GraphPanelLayout::drawLogit(Drawing& drawing, QPointF centre, std::size_t node) const
{
    const double room = m_layout.room(static_cast<int>(node));
    const double radius = std::min(1.15 * kDisc * m_form.fontSize, std::max(0.42 * room, 0.5));
    drawing.shape(disc(centre, radius),
                  Stroke{render::FigureStyle::kSecondAccent, 2 * m_form.lineWidth, false},
                  render::FigureStyle::kPaper);
    const double above = centre.y() - radius - 0.35 * m_form.fontSize;
    const TextStyle style = graphNameStyle(m_form);
    if (!m_areLogitsUpright)
        drawing.text({centre.x(), above}, drawing.elided(m_panel.names[node], style, room), style,
                     Align::Centre);
    else if (room >= 1.1 * style.size)
        drawing.textUpwards({centre.x() + 0.36 * style.size, above},
                            drawing.elided(m_panel.names[node], style, kLongestName * m_form.fontSize), style,
                            Align::Left);
}

void GraphPanelLayout::drawTokens(Drawing& drawing, QPointF at) const
{
    const TextStyle style = graphText(m_form);
    const double top = at.y() + m_layout.plot().bottom();
    double last = -1e9;
    int leftOut = 0;
    for (int token = 0; token < m_layout.columns(); ++token) {
        const double x = at.x() + m_layout.column(token).center().x();
        const QString& text = m_figure.tokens[static_cast<std::size_t>(token)];
        if (!m_areTokensUpright) {
            drawing.text({x, top + 0.9 * style.size}, text, style, Align::Centre);
            continue;
        }
        if (x - last < 1.15 * style.size) {
            ++leftOut;
            continue;
        }
        last = x;
        drawing.textUpwards({x + 0.36 * style.size, top + 0.1 * style.size},
                            drawing.elided(text, style, kLongestName * m_form.fontSize), style, Align::Right);
    }
    if (leftOut > 0)
        drawing.note(tr("%1: %2 tokens are not named; a wider figure or a shorter prompt names more.")
                         .arg(m_panel.title)
                         .arg(leftOut));
}

}  // namespace hs::figures
