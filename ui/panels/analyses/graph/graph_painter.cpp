#include "panels/analyses/graph/graph_painter.h"

#include "panels/widgets/panel_style.h"
#include "panels/widgets/panel_widgets.h"

#include <QFontMetricsF>
#include <QPainter>

#include <algorithm>
#include <cmath>

namespace hs::panels {
namespace {

using Kind = features::GraphNode::Kind;

constexpr double kNodeGap = 3;          // pixels
constexpr double kBoxPadding = 5;       // at both sides of a name
constexpr double kLongestBox = 84;      // of a name
constexpr double kTokenGap = 6;         // between tokens side by side
constexpr double kLeastLogitRoom = 22;  // names of less are left out
constexpr double kThinnestEdge = 0.6;
constexpr double kWidestEdge = 4;
constexpr double kFaintestEdge = 0.12;  // opacity of the weakest edge
constexpr double kUprightShare = 0.3;   // of the height: the most that upright tokens take

}  // namespace

GraphPainter::GraphPainter(const QPalette& palette, const QFont& font)
    : m_font(font), m_base(palette.color(QPalette::Base)), m_ink(palette.color(QPalette::Text)),
      m_quiet(quietInk(palette)), m_adds(sideColour(Side::Left, palette)), m_takes(markColour(palette)),
      m_logit(sideColour(Side::Right, palette))
{
    if (m_font.pointSizeF() > 0)
        m_font.setPointSizeF(0.88 * m_font.pointSizeF());
}

double GraphPainter::nameWidth(const ShownGraph& shown, int node) const
{
    return std::min(kLongestBox, QFontMetricsF(m_font).horizontalAdvance(shown.names[node])) +
           2 * kBoxPadding;
}

figures::GraphLayout GraphPainter::fit(QSizeF size, const ShownGraph& shown) const
{
    const QFontMetricsF metrics(m_font);
    figures::NodeWishes wishes = this->wishes(shown);
    const double left =
        metrics.horizontalAdvance(QStringLiteral("L%1").arg(std::max(0, shown.view.layers - 1))) + 8;
    const double line = metrics.height() + 3;
    double widest = 0;
    for (const QString& token : shown.tokens)
        widest = std::max(widest, metrics.horizontalAdvance(token));
    const double width = std::max(1.0, size.width() - left - 2);
    const bool isLevel = wishes.leastWidth(shown.view) <= width;
    if (!isLevel) {
        wishes.columns.assign(wishes.columns.size(), metrics.height());
        if (wishes.leastWidth(shown.view) > width)
            wishes.columns.clear();
    }
    const double foot = isLevel ? line : std::clamp(widest + 6, line, kUprightShare * size.height());
    const QRectF plot(left, line, width, std::max(1.0, size.height() - line - foot));
    return {shown.view, plot, wishes.within(shown.view, width), wishes.columns};
}

figures::NodeWishes GraphPainter::wishes(const ShownGraph& shown) const
{
    figures::NodeWishes wishes;
    bool hasLogit = false;
    for (int node = 0; node < shown.names.size(); ++node) {
        const Kind kind = shown.view.nodes[static_cast<std::size_t>(node)].kind;
        const double named = nameWidth(shown, node) + kNodeGap;
        const double bare = 2 * kDisc + kNodeGap;
        wishes.bare.push_back(kind == Kind::Logit && !std::exchange(hasLogit, true) ? named : bare);
        wishes.named.push_back(kind == Kind::Feature && !shown.names[node].isEmpty() ? named
                                                                                     : wishes.bare.back());
    }
    for (const QString& token : shown.tokens)
        wishes.columns.push_back(QFontMetricsF(m_font).horizontalAdvance(token) + kTokenGap);
    return wishes;
}

bool GraphPainter::isBox(const figures::GraphLayout& layout, const ShownGraph& shown, int node) const
{
    return shown.view.nodes[static_cast<std::size_t>(node)].kind == Kind::Feature &&
           !shown.names[node].isEmpty() && layout.room(node) >= nameWidth(shown, node) &&
           layout.band() >= QFontMetricsF(m_font).height();
}

void GraphPainter::drawGround(QPainter& painter, const figures::GraphLayout& layout, const ShownGraph& shown,
                              double bottom) const
{
    const QFontMetricsF metrics(m_font);
    painter.setFont(m_font);
    const int stride = std::max(1, static_cast<int>(std::ceil(metrics.height() / layout.band())));
    for (int layer = 0; layer < shown.view.layers; ++layer) {
        const double y = layout.levelAt(layer + 1);
        painter.setPen(QPen(mixed(m_base, m_quiet, 0.18), 1));
        painter.drawLine(QPointF(layout.plot().left(), y), QPointF(layout.plot().right(), y));
        painter.setPen(m_quiet);
        if (layer % stride == 0)
            painter.drawText(QRectF(0, y - metrics.height() / 2, layout.plot().left() - 5, metrics.height()),
                             Qt::AlignRight | Qt::AlignVCenter, QStringLiteral("L%1").arg(layer));
    }
    drawTokens(painter, layout, shown, bottom);
}

void GraphPainter::drawTokens(QPainter& painter, const figures::GraphLayout& layout, const ShownGraph& shown,
                              double bottom) const
{
    const QFontMetricsF metrics(m_font);
    painter.setPen(m_quiet);
    const double top = layout.plot().bottom();
    bool isUpright = false;
    for (int position = 0; position < shown.view.tokens; ++position)
        isUpright |= metrics.horizontalAdvance(shown.tokens[position]) > layout.column(position).width();
    const double height = bottom - top;
    double last = -metrics.height();
    for (int position = 0; position < shown.view.tokens; ++position) {
        const QRectF column = layout.column(position);
        const QString& token = shown.tokens[position];
        if (!isUpright) {
            painter.drawText(QRectF(column.left() - 20, top, column.width() + 40, metrics.height() + 2),
                             Qt::AlignHCenter | Qt::AlignTop, token);
            continue;
        }
        const double x = column.center().x();
        if (x - last < metrics.height() * 0.9)
            continue;
        last = x;
        painter.save();
        painter.translate(x, top + 2);
        painter.rotate(-90);
        const QRectF along(-height, -metrics.height() / 2, height, metrics.height());
        painter.drawText(along, Qt::AlignRight | Qt::AlignVCenter,
                         metrics.elidedText(token, Qt::ElideRight, height));
        painter.restore();
    }
}

void GraphPainter::drawEdge(QPainter& painter, const figures::GraphLayout& layout, const ShownGraph& shown,
                            const figures::ViewEdge& edge, double opacity) const
{
    const double most = std::max(std::abs(shown.view.edges.front().weight), 1e-12);
    const double strength = std::min(1.0, std::abs(edge.weight) / most);
    QColor colour = edge.weight < 0 ? m_takes : m_adds;
    colour.setAlphaF(
        static_cast<float>(opacity * (kFaintestEdge + (1 - kFaintestEdge) * std::sqrt(strength))));
    painter.setBrush(Qt::NoBrush);
    painter.setPen(
        QPen(colour, kThinnestEdge + (kWidestEdge - kThinnestEdge) * strength, Qt::SolidLine, Qt::FlatCap));
    painter.drawPath(layout.path(edge));
}

void GraphPainter::drawNode(QPainter& painter, const figures::GraphLayout& layout, const ShownGraph& shown,
                            int node, bool isMarked) const
{
    const QFontMetricsF metrics(m_font);
    const QPointF centre = layout.place(node);
    const double radius = std::clamp(0.45 * layout.room(node), 1.5, kDisc);
    const QPen rim(isMarked ? m_takes : m_base, isMarked ? 2 : 1);
    const QPen outline(isMarked ? m_takes : m_quiet, isMarked ? 2 : 1);
    painter.setFont(m_font);
    const QRectF square(centre - QPointF(radius, radius), centre + QPointF(radius, radius));
    switch (shown.view.nodes[static_cast<std::size_t>(node)].kind) {
    case Kind::Feature: {
        if (!isBox(layout, shown, node)) {
            const bool isGroup = shown.view.nodes[static_cast<std::size_t>(node)].isGroup;
            painter.setPen(!isGroup || isMarked ? rim : QPen(m_ink, 1));
            painter.setBrush(isGroup ? m_base : m_ink);
            painter.drawEllipse(square);
            if (isGroup) {
                painter.setPen(Qt::NoPen);
                painter.setBrush(m_ink);
                painter.drawEllipse(centre, 0.55 * radius, 0.55 * radius);
            }
            return;
        }
        const double room = layout.room(node) - kNodeGap;
        const double height = std::min(metrics.height() + 1, layout.band());
        const QRectF box(centre.x() - room / 2, centre.y() - height / 2, room, height);
        painter.setPen(QPen(isMarked ? m_takes : m_ink, isMarked ? 2 : 1));
        painter.setBrush(m_base);
        painter.drawRoundedRect(box, 4, 4);
        painter.setPen(m_ink);
        painter.drawText(box, Qt::AlignCenter,
                         metrics.elidedText(shown.names[node], Qt::ElideRight, room - 2 * kBoxPadding + 2));
        return;
    }
    case Kind::Error: {
        const double side = 0.8 * radius;
        painter.setPen(outline);
        painter.setBrush(m_base);
        painter.drawPolygon(QPolygonF({centre + QPointF(0, -side), centre + QPointF(side, 0),
                                       centre + QPointF(0, side), centre + QPointF(-side, 0)}));
        return;
    }
    case Kind::Logit: {
        painter.setPen(QPen(isMarked ? m_takes : m_logit, 2));
        painter.setBrush(m_base);
        painter.drawEllipse(square);
        // The others are named by pointing at them.
        if (layout.room(node) < kLeastLogitRoom)
            return;
        painter.setPen(m_ink);
        const QRectF above(centre.x() - layout.room(node) / 2, centre.y() - radius - metrics.height() - 1,
                           layout.room(node), metrics.height());
        painter.drawText(above, Qt::AlignCenter,
                         metrics.elidedText(shown.names[node], Qt::ElideRight, above.width()));
        return;
    }
    case Kind::Constant:
        painter.setPen(outline);
        painter.setBrush(m_base);
        painter.drawRect(square);
        return;
    case Kind::Token:
    case Kind::Position: break;
    }
    painter.setPen(rim);
    painter.setBrush(m_quiet);
    painter.drawRect(square);
}

}  // namespace hs::panels
