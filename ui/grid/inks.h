#pragma once

#include "render/label_cache.h"

#include <QPalette>
#include <QRgb>

namespace hs::grid {

/// A grid's colours other than those of its cells, from the desktop's palette.
struct Inks {
    QRgb ground = 0;
    QRgb ink = 0;
    QRgb quiet = 0;
    QRgb frame = 0;
    QRgb unmatched = 0;  // rows and columns that have nothing to be compared with
    QRgb accent = 0;
    QRgb mark = 0;
    QRgb hatchGround = 0;
    QRgb hatchLine = 0;
    QRgb patchGround = 0;  // of the hatching of patched heads
    QRgb patchLine = 0;
    bool isDark = false;

    static Inks of(const QPalette& palette);

    /// For labels on tiles that draw weight 0 in that colour.
    render::LabelInks labels(QRgb tileGround) const;

    friend bool operator==(const Inks&, const Inks&) = default;
};

/// `share` of one colour, the rest of the other.
QRgb mixed(QRgb colour, QRgb other, double share);

}  // namespace hs::grid
