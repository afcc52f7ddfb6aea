#include "figures/parts/head_rows.h"

#include <algorithm>
#include <cmath>

namespace hs::figures {
namespace {

constexpr double kAxisSpace = 1.5;    // in small text sizes
constexpr double kArrowShare = 0.42;  // of the tile's side

}  // namespace

HeadRows::HeadRows(TilePanel panel, const Form& form, QSizeF room, Axes axes, double largestSide)
    : m_panel(std::move(panel)), m_form(form), m_axes(axes)
{
    m_panel.title.clear();
    m_panel.caption.clear();
    const double least = leastSide();
    const double width = std::max(least, room.width() - axisSpace());
    const double height = room.height() - axisSpace();
    const int count = std::max(1, static_cast<int>(m_panel.heads.size()));
    TilePanel wider = m_panel;
    wider.flow = {render::TileFlow::Kind::Wrapped, 1};
    for (; wider.flow.count <= count; ++wider.flow.count) {
        const double side = fittingTileSide({wider}, true, form, width, largestSide);
        if (wider.flow.count > 1 && side < least)
            break;
        m_panel.flow = wider.flow;
        m_side = side;
        if (TilePanelLayout(m_panel, form, m_side).size().height() <= height)
            break;
    }
    // Use fewer rows if that does not make tiles smaller.
    for (wider.flow.count = m_panel.flow.count + 1; wider.flow.count <= count; ++wider.flow.count) {
        if (TilePanelLayout(wider, form, m_side).size().width() > width)
            break;
        m_panel.flow = wider.flow;
    }
}

double HeadRows::leastSide() const
{
    double widest = 0;
    for (const HeadId head : m_panel.heads)
        widest = std::max(widest, render::textWidth(QString::fromStdString(toString(head)), Form::kLeastText,
                                                    QFont::DemiBold, m_form.fontFamily));
    return widest + Form::kLeastText;
}

double HeadRows::axisSpace() const
{
    return m_axes == Axes::None || m_panel.heads.empty() ? 0 : kAxisSpace * m_form.smallSize();
}

QSizeF HeadRows::size() const
{
    return TilePanelLayout(m_panel, m_form, m_side).size() + QSizeF(axisSpace(), axisSpace());
}

void HeadRows::draw(Drawing& drawing, QPointF at) const
{
    const TilePanelLayout layout(m_panel, m_form, m_side);
    const QPointF origin = at + QPointF(axisSpace(), axisSpace());
    layout.draw(drawing, origin);
    if (axisSpace() > 0)
        drawAxes(drawing, {origin.x(), origin.y()});
}

void HeadRows::drawAxes(Drawing& drawing, QPointF corner) const
{
    const TilePanelLayout layout(m_panel, m_form, m_side);
    const QPointF tile = layout.tile(0).topLeft();
    const TextStyle style{m_form.smallSize(), QFont::Normal, render::FigureStyle::kQuietInk, {}};
    const Stroke stroke{style.ink, 1.2 * m_form.lineWidth, false};
    const double length = kArrowShare * m_side;
    const double head = 0.6 * style.size;
    const double off = 0.75 * style.size;

    const QPointF across = corner + QPointF(tile.x(), tile.y() - off);
    drawing.line(across, across + QPointF(length - 0.5 * head, 0), stroke);
    drawing.arrowHead(across + QPointF(length, 0), {1, 0}, head, style.ink);
    drawing.text(across + QPointF(length + 0.35 * style.size, 0.36 * style.size), QStringLiteral("K"), style);

    const QPointF down = corner + QPointF(-off, tile.y());
    drawing.line(down, down + QPointF(0, length - 0.5 * head), stroke);
    drawing.arrowHead(down + QPointF(0, length), {0, 1}, head, style.ink);
    drawing.text(down + QPointF(0, length + style.size), QStringLiteral("Q"), style, Align::Centre);
}

}  // namespace hs::figures
