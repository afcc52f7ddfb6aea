#pragma once

#include "figures/parts/drawing.h"

#include <vector>

namespace hs::figures {

/// Places texts in a plot where they cover neither lines nor each other.
class FreeLabels {
public:
    struct Place {
        QPointF baseline;
        Align align = Align::Left;
    };

    /// Texts stay within `room`.
    explicit FreeLabels(const QRectF& room) : m_room(room) {}

    void keepOff(QPointF from, QPointF to);

    /// Draws the text at the first of `places` that is free; false if none is.
    bool draw(Drawing& drawing, const QString& text, const TextStyle& style,
              const std::vector<Place>& places);

private:
    bool isFree(const QRectF& box) const;

    QRectF m_room;
    std::vector<QPointF> m_inked;  // points along lines, a point apart
    std::vector<QRectF> m_texts;
};

}  // namespace hs::figures
