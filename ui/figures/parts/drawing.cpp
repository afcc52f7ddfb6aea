#include "figures/parts/drawing.h"

#include <QLineF>
#include <QTransform>

#include <cmath>

namespace hs::figures {
namespace {

constexpr double kAscent = 0.78;  // of the text size
constexpr double kDescent = 0.22;

double shareBefore(Align align)
{
    return align == Align::Left ? 0 : align == Align::Centre ? 0.5 : 1;
}

struct Moved {
    QPointF offset;

    Drawing::Item operator()(DrawnShape shape) const
    {
        shape.path.translate(offset);
        return shape;
    }
    Drawing::Item operator()(DrawnCells cells) const
    {
        cells.place.translate(offset);
        return cells;
    }
    Drawing::Item operator()(DrawnText text) const
    {
        text.baseline += offset;
        return text;
    }
};

}  // namespace

QRectF DrawnText::bounds() const
{
    const QRectF upright(0, -kAscent * style.size, width, (kAscent + kDescent) * style.size);
    return QTransform().rotate(-angle).mapRect(upright).translated(baseline);
}

void Drawing::note(const QString& sentence)
{
    if (!m_notes.contains(sentence))
        m_notes << sentence;
}

double Drawing::widthOf(const QString& text, const TextStyle& style) const
{
    return render::textWidth(text, style.size, style.weight, m_fontFamily);
}

QString Drawing::elided(const QString& text, const TextStyle& style, double width) const
{
    if (widthOf(text, style) <= width)
        return text;
    const QString dots = QStringLiteral("…");
    const auto shortened = [&](qsizetype kept) {
        return text.left((kept + 1) / 2) + dots + text.right(kept / 2);
    };
    qsizetype fits = 0;
    qsizetype tooLong = text.size();
    while (tooLong - fits > 1) {
        const qsizetype kept = (fits + tooLong) / 2;
        (widthOf(shortened(kept), style) <= width ? fits : tooLong) = kept;
    }
    return widthOf(shortened(fits), style) <= width ? shortened(fits) : QString();
}

void Drawing::text(QPointF at, const QString& text, const TextStyle& style, Align align)
{
    if (text.isEmpty())
        return;
    const double width = widthOf(text, style);
    m_items.push_back(DrawnText{at - QPointF(shareBefore(align) * width, 0), text, style, width, 0});
}

void Drawing::textUpwards(QPointF at, const QString& text, const TextStyle& style, Align align)
{
    if (text.isEmpty())
        return;
    const double width = widthOf(text, style);
    m_items.push_back(DrawnText{at + QPointF(0, shareBefore(align) * width), text, style, width, 90});
}

void Drawing::line(QPointF from, QPointF to, const Stroke& stroke)
{
    QPainterPath path(from);
    path.lineTo(to);
    m_items.push_back(DrawnShape{path, stroke, {}});
}

void Drawing::shape(const QPainterPath& path, std::optional<Stroke> stroke, std::optional<QRgb> fill)
{
    m_items.push_back(DrawnShape{path, stroke, fill});
}

void Drawing::rect(const QRectF& rect, std::optional<Stroke> stroke, std::optional<QRgb> fill, double radius)
{
    QPainterPath path;
    if (radius > 0)
        path.addRoundedRect(rect, radius, radius);
    else
        path.addRect(rect);
    m_items.push_back(DrawnShape{path, stroke, fill});
}

void Drawing::arrowHead(QPointF tip, QPointF towards, double length, QRgb ink)
{
    const double norm = std::hypot(towards.x(), towards.y());
    if (!(norm > 0))
        return;
    const QPointF along = towards / norm * length;
    const QPointF across = QPointF(-along.y(), along.x()) * 0.38;
    QPainterPath path(tip);
    path.lineTo(tip - along + across);
    path.lineTo(tip - along * 0.75);
    path.lineTo(tip - along - across);
    path.closeSubpath();
    m_items.push_back(DrawnShape{path, {}, ink});
}

void Drawing::cells(const QRectF& place, const QImage& cells)
{
    m_items.push_back(DrawnCells{place, cells});
}

void Drawing::add(const Drawing& other, QPointF offset)
{
    m_items.reserve(m_items.size() + other.m_items.size());
    for (const Item& item : other.m_items)
        m_items.push_back(std::visit(Moved{offset}, item));
    for (const QString& sentence : other.m_notes)
        note(sentence);
}

}  // namespace hs::figures
