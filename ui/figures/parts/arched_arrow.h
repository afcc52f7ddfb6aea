#pragma once

#include "figures/parts/drawing.h"

namespace hs::figures {

/// An arrow that leaves `from` upwards and comes down on `tip`, which is to its right, with a text at
/// the top: on the line if there is room for it, otherwise above.
struct ArchedArrow {
    QPointF from;
    QPointF tip;
    double rise = 0;  // from the line's ends to its top
    QString text;
    TextStyle style;
    QString fontFamily;
    double lineWidth = 1.5;

    bool isTextOnLine() const;
    /// From the higher end up to the top of the text.
    double height() const;
    /// The text stays left of `right`.
    void draw(Drawing& drawing, double right) const;

private:
    QPointF at(double t) const;
    QPointF slope(double t) const;
    double parameterAt(double x) const;
    void addPiece(QPainterPath& path, double start, double end) const;
    double headLength() const { return 0.95 * style.size; }
    QPointF lineEnd() const { return tip - QPointF(0, 0.8 * headLength()); }
};

}  // namespace hs::figures
