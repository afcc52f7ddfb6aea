#pragma once

#include "grid/content.h"
#include "grid/geometry.h"
#include "grid/inks.h"
#include "render/label_cache.h"
#include "render/tile_marks.h"
#include "render/tile_raster.h"

#include <QImage>

#include <array>
#include <optional>

class QPainter;

namespace hs::grid {

/// The colour map a grid's tiles are drawn with.
render::ColourMap mapFor(const Content& content, bool isDark);

/// The picture of a grid without marks: cells, hatching, frames, labels and badges. Kept until one of its
/// inputs changes, since most repaints only move marks. Owned by one canvas.
class Picture {
public:
    /// In device pixels, with the viewport's pixel ratio set.
    const QImage& image(const std::shared_ptr<const Content>& content, const render::GridLayout& places,
                        const Geometry& geometry, const Inks& inks);

private:
    struct Key {
        std::shared_ptr<const Content> content;  // immutable, so its address identifies it
        int side;
        QPoint origin;
        Viewport viewport;
        Inks inks;

        friend bool operator==(const Key&, const Key&) = default;
    };

    /// A whole tile.
    struct HatchedTile {
        QImage picture;
        QRgb ground = 0;
    };

    void draw(const Key& key, const render::GridLayout& places, const Geometry& geometry);
    void drawCells(render::TileRaster& raster, const Content& content, HeadId head, const QRect& tile,
                   const render::CellColours& colours);
    void drawEdited(QPainter& painter, const Key& key, const render::GridLayout& places,
                    const Geometry& geometry);
    void drawMlps(QPainter& painter, const Key& key, const render::GridLayout& places,
                  const Geometry& geometry, int frame);
    void drawHatching(QPainter& painter, const QRect& tile, render::Hatching hatching, const Key& key);
    /// The height of labels' text; 0 if they would not be legible.
    static int labelPixels(const Geometry& geometry);
    void drawLabels(QPainter& painter, const Key& key, QRgb ground, const render::GridLayout& places,
                    const Geometry& geometry);
    void drawBadges(QPainter& painter, const Key& key, const render::GridLayout& places,
                    const Geometry& geometry);

    std::optional<Key> m_key;
    QImage m_image;
    render::LabelCache m_labels;
    std::array<HatchedTile, 2> m_hatched;  // [Hatching]
};

}  // namespace hs::grid
