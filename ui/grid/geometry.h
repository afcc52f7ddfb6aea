#pragma once

#include "control/session/session.h"
#include "render/grid_layout.h"

#include <QPoint>
#include <QRect>
#include <QSizeF>

#include <functional>
#include <optional>

namespace hs::grid {

/// Tile side and gap in whole device pixels.
struct PixelMetrics {
    int side = 1;
    int gap = 1;

    static PixelMetrics forSide(double viewSide, double pixelRatio);

    int step() const { return side + gap; }

    friend bool operator==(const PixelMetrics&, const PixelMetrics&) = default;
};

/// One direction of a grid: device pixels from the first tile's edge, and grid units. In grid units tile n
/// extends from n to n + kTileShare and the gap after it to n + 1, so that a place within a tile stays the
/// same at every zoom although gaps do not grow with tiles.
struct PixelAxis {
    static constexpr double kTileShare = 0.9;

    PixelMetrics metrics;
    int tiles = 0;
    int inBlock = 1;  // tiles between two gutters
    int gutter = 0;   // what the gap after a block is wider by
    int toMlp = 1;    // tiles between two slim tiles
    int mlp = 0;      // the room of a slim tile and the gap before it, behind every `toMlp`-th tile

    int start(int tile) const;
    int gapAfter(int tile) const;
    int extent() const { return tiles > 0 ? start(tiles - 1) + metrics.side + mlp : 0; }
    /// The tile at a pixel or before the gap there; may be one that the grid does not have.
    int tileAt(int pixel) const;
    double toPixels(double units) const;
    double toUnits(double pixels) const;
};

/// Room around a grid that fits, in view coordinates: the frames of selected tiles extend into it.
inline constexpr double kGridMargin = 4;

/// The area through which a grid is seen.
struct Viewport {
    QSizeF size;             // in view coordinates: the widget's own
    double pixelRatio = 1;   // device pixels per view unit
    double mostFit = 0;      // largest tile side of "as large as fits"; 0: no limit
    double headingSize = 0;  // height of the headings' text, in view coordinates; 0: no headings

    friend bool operator==(const Viewport&, const Viewport&) = default;
};

/// Height of the text of a tile's label, both in view coordinates; 0 if it would not be legible.
double tileLabelSize(double viewSide);

/// The largest tile side in whole device pixels for which `fits` holds; 0 if there is none. Tiles without
/// labels may need headings that larger ones do without, so both are tried.
int largestSide(QSize room, double pixelRatio, const std::function<bool(int)>& fits);

/// Width of rows' headings and height of columns' headings, in view coordinates. `numbers` has the largest
/// numbers that occur; a wrapped list has headings only while its tiles have no labels.
QSizeF headingRoom(const render::TileFlow& flow, const HeadShape& numbers, double textSize, double viewSide);

/// A grid of one shape at one tile side, in device pixels: tiles, gutters between blocks, and the strips
/// at the left and the top for the headings of rows and columns.
struct PixelGrid {
    PixelAxis across;
    PixelAxis down;
    QSize strips;  // width of the left one, height of the top one
    int margin = 0;

    /// `headings` in view coordinates; see headingRoom.
    PixelGrid(const render::GridShape& shape, QSizeF headings, double viewSide, double pixelRatio);

    QPointF toPixels(QPointF units) const { return {across.toPixels(units.x()), down.toPixels(units.y())}; }
    QPointF toUnits(QPointF pixels) const { return {across.toUnits(pixels.x()), down.toUnits(pixels.y())}; }
    /// Everything, with the margins around the tiles.
    QSize extent() const;
};

/// The largest tile side, in view coordinates, at which the whole grid is visible, within the viewport's limit.
double fittingSide(const render::GridLayout& places, const Viewport& viewport);

/// Where tiles and cells are on the screen at one zoom, in whole device pixels ("pixels") from the
/// view's top left corner. Used for both painting and hit testing. Spaces: view (the widget's
/// coordinates), pixels, grid (PixelAxis), tokens; each conversion is a function named after them.
class Geometry {
public:
    Geometry(const render::GridLayout& places, const control::GridZoom& zoom, const Viewport& viewport);

    const PixelGrid& pixels() const { return m_pixels; }
    int tileSide() const { return m_pixels.across.metrics.side; }
    QPoint origin() const { return m_origin; }
    const Viewport& viewport() const { return m_viewport; }
    QSize pixelSize() const;
    /// Where tiles are seen: everything but the headings' strips.
    QRect area() const;

    /// The zoom with the fit resolved, and moved so that the view wastes no room.
    const control::GridZoom& zoom() const { return m_zoom; }

    QRect tile(QPoint place) const;
    QRect mlpTile(const render::GridLayout::Mlp& mlp) const;
    QRect grid() const;  // all tiles
    /// Columns and rows that are at least partly visible; empty if there are none.
    QRect visiblePlaces() const;
    /// The place of the tile at a pixel, whether or not it has a head.
    std::optional<QPoint> placeAt(QPoint pixel) const;

    QPoint viewToPixel(QPointF view) const;
    QPointF pixelToView(QPointF pixel) const;
    QPointF viewToGrid(QPointF view) const;
    QPointF gridToView(QPointF grid) const;

    /// Pixels of a token's row or column in a tile, counted from the tile's corner, [first, last].
    struct Range {
        int first = 0;
        int last = 0;
    };
    Range tokenToPixels(int token, int tokens) const;
    /// The reverse; if a pixel covers several tokens, all of them.
    Range pixelToTokens(int pixel, int tokens) const;

private:
    Viewport m_viewport;
    control::GridZoom m_zoom;
    PixelGrid m_pixels;
    QPoint m_origin;  // pixel of the first tile's corner
};

}  // namespace hs::grid
