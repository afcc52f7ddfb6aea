#pragma once

#include "grid/grid_content.h"
#include "grid/grid_geometry.h"
#include "grid/grid_inks.h"
#include "render/label_cache.h"
#include "render/tile_raster.h"

#include <QImage>

#include <optional>

class QPainter;

namespace hs {

/// The colour map a grid's tiles are drawn with.
ColourMap mapFor(const GridContent& content, bool isDark);

/// The picture of a grid without marks: cells, hatching, frames and labels. Kept until any of its
/// inputs changes, since most repaints only move marks. Owned by one canvas.
class GridPicture {
public:
    /// In device pixels, with the viewport's pixel ratio set.
    const QImage& image(const std::shared_ptr<const GridContent>& content, const GridLayout& places,
                        const GridGeometry& geometry, const GridInks& inks);

private:
    struct Key {
        std::shared_ptr<const GridContent> content;  // never changes, so its address stands for it
        PixelMetrics metrics;
        QPoint origin;
        GridViewport viewport;
        GridInks inks;

        friend bool operator==(const Key&, const Key&) = default;
    };

    void draw(const Key& key, const GridLayout& places, const GridGeometry& geometry);
    void drawCells(TileRaster& raster, const GridContent& content, HeadId head, const QRect& tile,
                   const CellColours& colours);
    void drawHatching(QPainter& painter, const QRect& tile, const Key& key);
    void drawLabels(QPainter& painter, const Key& key, QRgb ground, const GridLayout& places,
                    const GridGeometry& geometry);

    std::optional<Key> m_key;
    QImage m_image;
    LabelCache m_labels;
    QImage m_hatched;  // a whole tile
};

}  // namespace hs
