#include "grid/geometry.h"

#include <algorithm>
#include <cmath>

namespace hs::grid {
namespace {

int floorDivide(int value, int divisor)
{
    return value >= 0 ? value / divisor : -((divisor - 1 - value) / divisor);
}

}  // namespace

PixelMetrics PixelMetrics::forSide(double viewSide, double pixelRatio)
{
    const int side = std::max(1, static_cast<int>(std::lround(viewSide * pixelRatio)));
    const double gap = render::TileMetrics::forSide(side / pixelRatio).gap;
    return {side, std::max(1, static_cast<int>(std::lround(gap * pixelRatio)))};
}

double PixelMetrics::toPixels(double units) const
{
    const double tile = std::floor(units);
    const double share = units - tile;
    const double within =
        share < kTileShare ? share / kTileShare * side : side + (share - kTileShare) / (1 - kTileShare) * gap;
    return tile * step() + within;
}

double PixelMetrics::toUnits(double pixels) const
{
    const double tile = std::floor(pixels / step());
    const double within = pixels - tile * step();
    const double share =
        within < side ? within / side * kTileShare : kTileShare + (within - side) / gap * (1 - kTileShare);
    return tile + share;
}

double fittingSide(const render::GridLayout& places, const Viewport& viewport)
{
    const double width = (viewport.size.width() - 2 * kGridMargin) * viewport.pixelRatio;
    const double height = (viewport.size.height() - 2 * kGridMargin) * viewport.pixelRatio;
    const auto fits = [&](int side) {
        const PixelMetrics metrics = PixelMetrics::forSide(side / viewport.pixelRatio, viewport.pixelRatio);
        return metrics.extent(places.columns()) <= width && metrics.extent(places.rows()) <= height;
    };
    int side = 1;
    int tooLarge = std::max(2, static_cast<int>(std::min(width, height)) + 1);
    while (tooLarge - side > 1) {
        const int middle = (side + tooLarge) / 2;
        (fits(middle) ? side : tooLarge) = middle;
    }
    return side / viewport.pixelRatio;
}

Geometry::Geometry(const render::GridLayout& places, const control::GridZoom& zoom, const Viewport& viewport)
    : m_count(places.columns(), places.rows()), m_viewport(viewport), m_zoom(zoom)
{
    const QPointF middle = QPointF(viewport.size.width(), viewport.size.height()) * viewport.pixelRatio / 2;
    if (zoom.tileSide > 0) {
        m_metrics = PixelMetrics::forSide(zoom.tileSide, viewport.pixelRatio);
        const QPointF corner = middle - m_metrics.toPixels(zoom.centre);
        m_origin =
            QPoint(static_cast<int>(std::lround(corner.x())), static_cast<int>(std::lround(corner.y())));
        return;
    }
    const double fit = fittingSide(places, viewport);
    m_zoom.tileSide = viewport.mostFit > 0 ? std::min(fit, viewport.mostFit) : fit;
    m_metrics = PixelMetrics::forSide(m_zoom.tileSide, viewport.pixelRatio);
    const int margin = static_cast<int>(std::lround(kGridMargin * viewport.pixelRatio));
    m_origin = QPoint(margin, margin);
    m_zoom.centre = m_metrics.toUnits(middle - QPointF(m_origin));
}

QSize Geometry::pixelSize() const
{
    return {static_cast<int>(std::ceil(m_viewport.size.width() * m_viewport.pixelRatio)),
            static_cast<int>(std::ceil(m_viewport.size.height() * m_viewport.pixelRatio))};
}

QRect Geometry::tile(QPoint place) const
{
    return {m_origin + m_metrics.step() * place, QSize(m_metrics.side, m_metrics.side)};
}

QRect Geometry::grid() const
{
    return {m_origin, QSize(m_metrics.extent(m_count.width()), m_metrics.extent(m_count.height()))};
}

QRect Geometry::visiblePlaces() const
{
    const int step = m_metrics.step();
    const QPoint first(floorDivide(-m_origin.x(), step), floorDivide(-m_origin.y(), step));
    const QSize size = pixelSize();
    const QPoint last(floorDivide(size.width() - 1 - m_origin.x(), step),
                      floorDivide(size.height() - 1 - m_origin.y(), step));
    return QRect(first, last) & QRect(QPoint(), m_count);
}

std::optional<QPoint> Geometry::placeAt(QPoint pixel) const
{
    const QPoint offset = pixel - m_origin;
    const QPoint place(floorDivide(offset.x(), m_metrics.step()), floorDivide(offset.y(), m_metrics.step()));
    if (!QRect(QPoint(), m_count).contains(place) || !tile(place).contains(pixel))
        return std::nullopt;
    return place;
}

QPoint Geometry::viewToPixel(QPointF view) const
{
    return {static_cast<int>(std::floor(view.x() * m_viewport.pixelRatio)),
            static_cast<int>(std::floor(view.y() * m_viewport.pixelRatio))};
}

QPointF Geometry::pixelToView(QPointF pixel) const
{
    return pixel / m_viewport.pixelRatio;
}

QPointF Geometry::viewToGrid(QPointF view) const
{
    return m_metrics.toUnits(view * m_viewport.pixelRatio - QPointF(m_origin));
}

QPointF Geometry::gridToView(QPointF grid) const
{
    return (m_metrics.toPixels(grid) + QPointF(m_origin)) / m_viewport.pixelRatio;
}

Geometry::Range Geometry::tokenToPixels(int token, int tokens) const
{
    const std::int64_t side = m_metrics.side;
    if (side < tokens)
        return {static_cast<int>(token * side / tokens),
                static_cast<int>(((token + 1) * side + tokens - 1) / tokens) - 1};
    // As in drawn tiles, a pixel belongs to the token at its centre.
    const auto firstPixel = [&](std::int64_t cell) {
        return static_cast<int>((2 * side * cell + tokens - 1) / (2 * std::int64_t{tokens}));
    };
    return {firstPixel(token), firstPixel(token + 1) - 1};
}

Geometry::Range Geometry::pixelToTokens(int pixel, int tokens) const
{
    const std::int64_t side = m_metrics.side;
    const std::int64_t start = std::int64_t{pixel} * tokens;
    if (side < tokens)
        return {static_cast<int>(start / side), static_cast<int>((start + tokens - 1) / side)};
    const int token = static_cast<int>((2 * start + tokens) / (2 * side));
    return {token, token};
}

}  // namespace hs::grid
