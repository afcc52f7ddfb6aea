#include "figures/parts/arched_arrow.h"

#include <algorithm>

namespace hs::figures {
namespace {

constexpr double kRoomBeside = 2.5;  // line on each side of the text, in text sizes

}  // namespace

// The line is a cubic with vertical handles of 4/3 of the rise, which puts its top at the rise.
QPointF ArchedArrow::at(double t) const
{
    const double u = 1 - t;
    return from * (u * u * (1 + 2 * t)) + lineEnd() * (t * t * (1 + 2 * u)) - QPointF(0, 4 * rise * t * u);
}

QPointF ArchedArrow::slope(double t) const
{
    const double u = 1 - t;
    return (lineEnd() - from) * (6 * t * u) - QPointF(0, 4 * rise * (u - t));
}

double ArchedArrow::parameterAt(double x) const
{
    double low = 0, high = 1;
    for (int round = 0; round < 40; ++round)
        (at((low + high) / 2).x() < x ? low : high) = (low + high) / 2;
    return low;
}

void ArchedArrow::addPiece(QPainterPath& path, double start, double end) const
{
    const double third = (end - start) / 3;
    path.moveTo(at(start));
    path.cubicTo(at(start) + slope(start) * third, at(end) - slope(end) * third, at(end));
}

bool ArchedArrow::isTextOnLine() const
{
    const double width = render::textWidth(text, style.size, style.weight, fontFamily);
    return width + 2 * kRoomBeside * style.size <= tip.x() - from.x();
}

double ArchedArrow::height() const
{
    return rise + (isTextOnLine() ? 0.6 : 1.6) * style.size;
}

void ArchedArrow::draw(Drawing& drawing, double right) const
{
    const double half = drawing.widthOf(text, style) / 2;
    const QPointF top = at(0.5);
    QPainterPath line;
    if (isTextOnLine()) {
        const double clearing = half + 0.5 * style.size;
        addPiece(line, 0, parameterAt(top.x() - clearing));
        addPiece(line, parameterAt(top.x() + clearing), 1);
        drawing.text(top + QPointF(0, 0.36 * style.size), text, style, Align::Centre);
    } else {
        addPiece(line, 0, 1);
        drawing.text({std::min(top.x(), right - half), top.y() - 0.6 * style.size}, text, style,
                     Align::Centre);
    }
    drawing.shape(line, Stroke{style.ink, lineWidth, false});
    drawing.arrowHead(tip, {0, 1}, headLength(), style.ink);
}

}  // namespace hs::figures
