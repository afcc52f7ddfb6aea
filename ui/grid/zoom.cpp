#include "grid/zoom.h"

#include <algorithm>
#include <cmath>

namespace hs::grid {
namespace {

constexpr double kKeptInSight = 48;  // part of the grid, in view coordinates
constexpr double kReadableTile = 64;
constexpr double kMostPixels = 1 << 28;  // for the whole grid: positions are ints

/// Moves the view so that some of the grid is visible; with `isCovering`, so that a grid larger than
/// the view leaves no room unused beside it.
control::GridZoom kept(control::GridZoom zoom, const render::GridLayout& places, const Viewport& viewport,
                       bool isCovering)
{
    const PixelMetrics metrics = PixelMetrics::forSide(zoom.tileSide, viewport.pixelRatio);
    const auto axis = [&](double centre, int tiles, double viewLength) {
        const double view = viewLength * viewport.pixelRatio;
        const double extent = metrics.extent(tiles);
        const double seen = std::min({kKeptInSight * viewport.pixelRatio, extent, view});
        const double middle = metrics.toPixels(centre);
        double least = seen - view / 2;
        double most = extent - seen + view / 2;
        if (isCovering) {
            least = view / 2 - kGridMargin * viewport.pixelRatio;
            most = extent - view / 2 + kGridMargin * viewport.pixelRatio;
        }
        return metrics.toUnits(std::clamp(middle, least, std::max(least, most)));
    };
    zoom.centre = {axis(zoom.centre.x(), places.columns(), viewport.size.width()),
                   axis(zoom.centre.y(), places.rows(), viewport.size.height())};
    return zoom;
}

}  // namespace

ZoomLimits ZoomLimits::of(const render::GridLayout& places, const Viewport& viewport, int tokens)
{
    const double fit = fittingSide(places, viewport);
    const double least = viewport.mostFit > 0 ? std::min(fit, viewport.mostFit) : fit;
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
    const QPointF middle = QPointF(viewport.size.width(), viewport.size.height()) / 2;
    const QPointF fromMiddle = (view - middle) * viewport.pixelRatio;
    // Not from the drawn corner, which is rounded to a pixel: the errors would add up.
    const QPointF place = from.metrics().toUnits(from.metrics().toPixels(from.zoom().centre) + fromMiddle);
    const PixelMetrics metrics = PixelMetrics::forSide(side, viewport.pixelRatio);
    const control::GridZoom zoom{side, metrics.toUnits(metrics.toPixels(place) - fromMiddle)};
    return kept(zoom, places, viewport, factor < 1);
}

control::GridZoom panned(const Geometry& from, QPointF distance, const render::GridLayout& places)
{
    const QPointF centre =
        from.metrics().toPixels(from.zoom().centre) - distance * from.viewport().pixelRatio;
    return centredOn(from, from.metrics().toUnits(centre), places);
}

control::GridZoom centredOn(const Geometry& from, QPointF grid, const render::GridLayout& places)
{
    return kept({from.zoom().tileSide, grid}, places, from.viewport(), false);
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
