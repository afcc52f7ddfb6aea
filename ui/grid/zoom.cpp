#include "grid/zoom.h"

#include <algorithm>
#include <cmath>

namespace hs::grid {
namespace {

constexpr double kReadableTile = 64;
constexpr double kMostPixels = 1 << 28;  // for the whole grid: positions are ints

/// From the middle of the tiles' area to a point of the view, in pixels.
QPointF fromMiddle(const Geometry& geometry, QPointF view)
{
    return view * geometry.viewport().pixelRatio - QRectF(geometry.area()).center();
}

}  // namespace

ZoomLimits ZoomLimits::of(const render::GridLayout& places, const Viewport& viewport, int tokens)
{
    const double least = fittingSide(places, viewport);
    const int tiles = std::max({1, places.columns(), places.rows()});
    const double cell = std::min(viewport.size.width(), viewport.size.height());
    const double most = std::min(cell * std::max(1, tokens), kMostPixels / tiles / viewport.pixelRatio);
    return {least, std::max(least, most)};
}

double actualTileSide(int tokens, double pixelRatio)
{
    const int cells = std::max(1, tokens);
    return cells * std::ceil(kReadableTile * pixelRatio / cells) / pixelRatio;
}

control::GridZoom zoomedAbout(const Geometry& from, QPointF view, double factor,
                              const render::GridLayout& places, const ZoomLimits& limits)
{
    const double side = std::min(limits.most, from.zoom().tileSide * factor);
    if (!(side > limits.least))
        return {};
    const Viewport& viewport = from.viewport();
    // Not from the drawn corner, which is rounded to a pixel: the errors would add up.
    const QPointF place =
        from.pixels().toUnits(from.pixels().toPixels(from.zoom().centre) + fromMiddle(from, view));
    // The headings' strips, and with them the middle, may be others at another side.
    const Geometry to(places, {side, place}, viewport);
    const QPointF centre = to.pixels().toUnits(to.pixels().toPixels(place) - fromMiddle(to, view));
    return Geometry(places, {side, centre}, viewport).zoom();
}

control::GridZoom panned(const Geometry& from, QPointF distance, const render::GridLayout& places)
{
    const QPointF centre = from.pixels().toPixels(from.zoom().centre) - distance * from.viewport().pixelRatio;
    return centredOn(from, from.pixels().toUnits(centre), places);
}

control::GridZoom centredOn(const Geometry& from, QPointF grid, const render::GridLayout& places)
{
    return Geometry(places, {from.zoom().tileSide, grid}, from.viewport()).zoom();
}

control::GridZoom zoomedTo(const Geometry& from, const QRect& part, const render::GridLayout& places,
                           const ZoomLimits& limits)
{
    const Viewport& viewport = from.viewport();
    const auto seen = [&](const Geometry& geometry) {
        return QRectF(geometry.tile(part.topLeft()) | geometry.tile(part.bottomRight()));
    };
    double side = limits.least;
    double tooLarge = std::max(side, std::min(viewport.size.width(), viewport.size.height()));
    while (tooLarge - side > 0.5 / viewport.pixelRatio) {
        const double middle = (side + tooLarge) / 2;
        const Geometry geometry(places, {middle, {}}, viewport);
        const int margins = 2 * geometry.pixels().margin;
        const QSizeF needed = seen(geometry).size() + QSizeF(margins, margins);
        const bool fits =
            needed.width() <= geometry.area().width() && needed.height() <= geometry.area().height();
        (fits ? side : tooLarge) = middle;
    }
    if (!(side > limits.least))
        return {};
    const Geometry geometry(places, {side, {}}, viewport);
    const QPointF centre = geometry.pixels().toUnits(seen(geometry).center() - QPointF(geometry.origin()));
    return Geometry(places, {side, centre}, viewport).zoom();
}

control::GridZoom between(const control::GridZoom& from, const control::GridZoom& to, double share)
{
    // The centre moves with the picture's size, so that the point common to both stays still.
    const double side = from.tileSide * std::pow(to.tileSide / from.tileSide, share);
    const double span = to.tileSide - from.tileSide;
    const double moved = std::abs(span) > 0.5 ? (side - from.tileSide) / span * to.tileSide / side : share;
    return {side, from.centre + moved * (to.centre - from.centre)};
}

}  // namespace hs::grid
