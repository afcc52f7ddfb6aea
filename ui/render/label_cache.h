#pragma once

#include "base/head_id.h"

#include <QHash>
#include <QImage>
#include <QRgb>

namespace hs::render {

/// Colours of labels on screen.
struct LabelInks {
    QRgb ink = 0;
    QRgb halo = 0;
    QRgb ablatedInk = 0;
    QRgb ablatedHalo = 0;
    QRgb strike = 0;

    friend bool operator==(const LabelInks&, const LabelInks&) = default;
};

/// Pictures of labels such as "L3H7" with their halos. Each is assembled from pictures of its letters,
/// so that a screen full of labels at a new size costs only a few outlines. Usable on any thread, but
/// by one at a time.
class LabelCache {
public:
    /// `size` is the text's height in pixels. The capitals start padding() pixels from the picture's
    /// left edge, and their bottom is baseline() pixels below its top.
    const QImage& label(HeadId head, int size, bool isAblated, const LabelInks& inks);

    static int padding(int size) { return size / 3 + 2; }
    static int baseline(int size) { return padding(size) + size; }

    /// Width of the capitals, in pixels.
    static double width(HeadId head, int size);

private:
    struct Glyph {
        QImage halo;
        QImage ink;
    };

    const Glyph& glyph(QChar letter, int phase, int size, bool isAblated);
    QImage draw(HeadId head, int size, bool isAblated);

    LabelInks m_inks;
    QHash<quint64, QImage> m_labels;
    QHash<quint64, Glyph> m_glyphs;
};

}  // namespace hs::render
