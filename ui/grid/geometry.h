#pragma once

#include "control/session/session.h"
#include "render/grid_layout.h"

#include <QPoint>
#include <QRect>
#include <QSizeF>

#include <optional>

namespace hs::grid {

/// Tile side and gap in whole device pixels, and the conversion between pixels and grid units along an
/// axis. In grid units tile n extends from n to n + kTileShare and the gap after it to n + 1, so that
/// a place within a tile stays the same at every zoom although gaps do not grow with tiles.
struct PixelMetrics {
    static constexpr double kTileShare = 0.9;

    int side = 1;
    int gap = 1;

    static PixelMetrics forSide(double viewSide, double pixelRatio);

    int step() const { return side + gap; }
    double toPixels(double units) const;
    double toUnits(double pixels) const;
    QPointF toPixels(QPointF units) const { return {toPixels(units.x()), toPixels(units.y())}; }
    QPointF toUnits(QPointF pixels) const { return {toUnits(pixels.x()), toUnits(pixels.y())}; }

    /// Pixels that this many tiles in a row take.
    int extent(int tiles) const { return tiles > 0 ? tiles * step() - gap : 0; }

    friend bool operator==(const PixelMetrics&, const PixelMetrics&) = default;
};

/// Room around a grid that fits, in view coordinates: the frames of selected tiles extend into it.
inline constexpr double kGridMargin = 4;

/// The area through which a grid is seen.
struct Viewport {
    QSizeF size;            // in view coordinates: the widget's own
    double pixelRatio = 1;  // device pixels per view unit
    double mostFit = 0;     // largest tile side of "as large as fits"; 0: no limit

    friend bool operator==(const Viewport&, const Viewport&) = default;
};

/// The largest tile side, in view coordinates, at which the whole grid is visible.
double fittingSide(const render::GridLayout& places, const Viewport& viewport);

/// Where tiles and cells are on the screen at one zoom, in whole device pixels ("pixels") from the
/// view's top left corner. Used for both painting and hit testing. Spaces: view (the widget's
/// coordinates), pixels, grid (PixelMetrics), tokens; each conversion is a function named after them.
class Geometry {
public:
    Geometry(const render::GridLayout& places, const control::GridZoom& zoom, const Viewport& viewport);

    const PixelMetrics& metrics() const { return m_metrics; }
    int tileSide() const { return m_metrics.side; }
    QPoint origin() const { return m_origin; }
    const Viewport& viewport() const { return m_viewport; }
    QSize pixelSize() const;

    /// The zoom with the fit resolved.
    const control::GridZoom& zoom() const { return m_zoom; }

    QRect tile(QPoint place) const;
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
    QSize m_count;  // columns and rows
    Viewport m_viewport;
    PixelMetrics m_metrics;
    control::GridZoom m_zoom;
    QPoint m_origin;  // pixel of the first tile's corner
};

}  // namespace hs::grid
