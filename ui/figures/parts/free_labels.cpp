#include "figures/parts/free_labels.h"

#include <QLineF>

#include <algorithm>

namespace hs::figures {
namespace {

constexpr double kAroundLabel = 0.25;  // kept free around texts, in text sizes
constexpr double kLabelAscent = 0.78;

}  // namespace

void FreeLabels::keepOff(QPointF from, QPointF to)
{
    const int steps = std::max(1, static_cast<int>(QLineF(from, to).length()));
    for (int step = 0; step <= steps; ++step)
        m_inked.push_back(from + (to - from) * (static_cast<double>(step) / steps));
}

bool FreeLabels::isFree(const QRectF& box) const
{
    return std::none_of(m_inked.begin(), m_inked.end(), [&](QPointF point) { return box.contains(point); }) &&
           std::none_of(m_texts.begin(), m_texts.end(),
                        [&](const QRectF& text) { return box.intersects(text); });
}

bool FreeLabels::draw(Drawing& drawing, const QString& text, const TextStyle& style,
                      const std::vector<Place>& places)
{
    const double width = drawing.widthOf(text, style);
    const double around = kAroundLabel * style.size;
    for (const Place& place : places) {
        const double before = place.align == Align::Left     ? 0
                              : place.align == Align::Centre ? width / 2
                                                             : width;
        const QRectF letters(place.baseline.x() - before, place.baseline.y() - kLabelAscent * style.size,
                             width, style.size);
        const QRectF box = letters.adjusted(-around, -around, around, around);
        if (!m_room.contains(letters) || !isFree(box))
            continue;
        drawing.text(place.baseline, text, style, place.align);
        m_texts.push_back(box);
        return true;
    }
    return false;
}

}  // namespace hs::figures
