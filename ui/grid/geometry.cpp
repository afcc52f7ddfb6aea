#include "grid/geometry.h"

#include "render/tile_marks.h"

#include <algorithm>
#include <cmath>
#include <ranges>

namespace hs::grid {
namespace {

constexpr double kGapShare = 0.05;     // of a tile's side
constexpr double kLargestGap = 8;      // in view coordinates
constexpr double kMlpShare = 0.2;      // width of a slim tile, of a tile's side
constexpr double kWidestMlp = 18;      // in view coordinates
constexpr double kLeastLabel = 8;      // likewise
constexpr double kLegibleLabel = 7;    // smaller labels are left out
constexpr double kLetterWidth = 0.64;  // of a heading's text size, generously
constexpr double kHeadingSpace = 0.5;  // around it, likewise

int floorDivide(int value, int divisor)
{
    return value >= 0 ? value / divisor : -((divisor - 1 - value) / divisor);
}

PixelGrid pixelsOf(const render::GridLayout& places, double viewSide, const Viewport& viewport)
{
    const QSizeF headings = headingRoom(places.flow(), places.numbers(), viewport.headingSize, viewSide);
    return PixelGrid(places.shape(), headings, viewSide, viewport.pixelRatio);
}

/// The largest side up to `most` for which `fits` holds, from one that does.
int bisected(int side, int most, const std::function<bool(int)>& fits)
{
    int tooLarge = most + 1;
    while (tooLarge - side > 1) {
        const int middle = (side + tooLarge) / 2;
        (fits(middle) ? side : tooLarge) = middle;
    }
    return side;
}

/// The pixel at the view's centre if it would be at `centre`, moved so that no room is left unused at one
/// edge while the grid is cut off at the other. A grid smaller than the view starts at its edge.
double covering(const PixelAxis& axis, double centre, double view, int margin)
{
    const double least = view / 2 - margin;
    const double most = axis.extent() - view / 2 + margin;
    return std::clamp(axis.toPixels(centre), least, std::max(least, most));
}

}  // namespace

PixelMetrics PixelMetrics::forSide(double viewSide, double pixelRatio)
{
    const int side = std::max(1, static_cast<int>(std::lround(viewSide * pixelRatio)));
    // Small tiles share the frame between them; larger ones have one each and some ground in between.
    const double wanted = std::round(kGapShare * side / pixelRatio);
    const double gap = wanted < 3 ? 1 : std::min(wanted, kLargestGap);
    return {side, std::max(1, static_cast<int>(std::lround(gap * pixelRatio)))};
}

int PixelAxis::start(int tile) const
{
    return tile * metrics.step() + floorDivide(tile, inBlock) * gutter + floorDivide(tile, toMlp) * mlp;
}

int PixelAxis::gapAfter(int tile) const
{
    return start(tile + 1) - start(tile) - metrics.side;
}

int PixelAxis::tileAt(int pixel) const
{
    // Without gutters and slim tiles it would be this one; with them it is between it and the first.
    const int dense = floorDivide(pixel, metrics.step());
    const auto candidates = std::views::iota(std::min(0, dense), std::max(0, dense) + 1);
    const auto after =
        std::ranges::partition_point(candidates, [&](int tile) { return start(tile) <= pixel; });
    return *after - 1;
}

double PixelAxis::toPixels(double units) const
{
    const int tile = static_cast<int>(std::floor(units));
    const double share = units - tile;
    const double within = share < kTileShare
                              ? share / kTileShare * metrics.side
                              : metrics.side + (share - kTileShare) / (1 - kTileShare) * gapAfter(tile);
    return start(tile) + within;
}

double PixelAxis::toUnits(double pixels) const
{
    const int tile = tileAt(static_cast<int>(std::floor(pixels)));
    const double within = pixels - start(tile);
    const double share = within < metrics.side
                             ? within / metrics.side * kTileShare
                             : kTileShare + (within - metrics.side) / gapAfter(tile) * (1 - kTileShare);
    return tile + share;
}

int largestSide(QSize room, double pixelRatio, const std::function<bool(int)>& fits)
{
    const int most = std::min(room.width(), room.height());
    int labelled = 1;
    while (labelled < most && tileLabelSize(labelled / pixelRatio) == 0)
        ++labelled;
    return fits(labelled) ? bisected(labelled, most, fits) : bisected(0, labelled - 1, fits);
}

double tileLabelSize(double viewSide)
{
    const double size = render::labelSize(viewSide, kLeastLabel);
    return size < kLegibleLabel ? 0 : size;
}

QSizeF headingRoom(const render::TileFlow& flow, const HeadShape& numbers, double textSize, double viewSide)
{
    const auto letters = [](int count) { return QString::number(std::max(0, count - 1)).size() + 1; };
    const auto width = [&](qsizetype count) {
        return std::ceil((kLetterWidth * static_cast<double>(count) + kHeadingSpace) * textSize);
    };
    if (textSize <= 0)
        return {0, 0};
    const double height = std::ceil((1 + kHeadingSpace) * textSize);
    const auto mlp = flow.hasMlps ? static_cast<qsizetype>(kMlpName.size()) : 0;
    switch (flow.kind) {
    case render::TileFlow::Kind::LayersDown: return {width(letters(numbers.layers)), height};
    case render::TileFlow::Kind::LayersAcross: return {width(std::max(letters(numbers.heads), mlp)), height};
    case render::TileFlow::Kind::Wrapped: break;
    }
    return {tileLabelSize(viewSide) > 0 ? 0 : width(letters(numbers.layers) + letters(numbers.heads)), 0};
}

PixelGrid::PixelGrid(const render::GridShape& shape, QSizeF headings, double viewSide, double pixelRatio)
    : strips(static_cast<int>(std::ceil(headings.width() * pixelRatio)),
             static_cast<int>(std::ceil(headings.height() * pixelRatio))),
      margin(static_cast<int>(std::lround(kGridMargin * pixelRatio)))
{
    const PixelMetrics metrics = PixelMetrics::forSide(viewSide, pixelRatio);
    const int between =
        std::clamp(metrics.side / 4, 2, static_cast<int>(std::ceil(kLargestGap * pixelRatio)));
    const int slim = std::clamp(static_cast<int>(std::lround(kMlpShare * metrics.side)), 2,
                                static_cast<int>(std::ceil(kWidestMlp * pixelRatio)));
    const auto axis = [&](int tiles, int inBlock, int strip, int toMlp) {
        return PixelAxis{metrics,
                         tiles,
                         std::max(1, inBlock),
                         tiles > inBlock ? std::max(strip, between) : 0,
                         std::max(1, toMlp),
                         toMlp > 0 ? metrics.gap + slim : 0};
    };
    across = axis(shape.columns, shape.block.width(), strips.width(), shape.toMlp.width());
    down = axis(shape.rows, shape.block.height(), strips.height(), shape.toMlp.height());
}

QSize PixelGrid::extent() const
{
    return strips + QSize(across.extent() + 2 * margin, down.extent() + 2 * margin);
}

double fittingSide(const render::GridLayout& places, const Viewport& viewport)
{
    const QSizeF view = viewport.size * viewport.pixelRatio;
    const auto fits = [&](int side) {
        const QSize needed = pixelsOf(places, side / viewport.pixelRatio, viewport).extent();
        return needed.width() <= view.width() && needed.height() <= view.height();
    };
    const double side =
        std::max(1, largestSide(view.toSize(), viewport.pixelRatio, fits)) / viewport.pixelRatio;
    return viewport.mostFit > 0 ? std::min(side, viewport.mostFit) : side;
}

Geometry::Geometry(const render::GridLayout& places, const control::GridZoom& zoom, const Viewport& viewport)
    : m_viewport(viewport),
      m_zoom{zoom.tileSide > 0 ? zoom.tileSide : fittingSide(places, viewport), zoom.centre},
      m_pixels(pixelsOf(places, m_zoom.tileSide, viewport))
{
    const QPointF middle = QRectF(area()).center();
    const QPointF centre(covering(m_pixels.across, m_zoom.centre.x(), area().width(), m_pixels.margin),
                         covering(m_pixels.down, m_zoom.centre.y(), area().height(), m_pixels.margin));
    m_zoom.centre = m_pixels.toUnits(centre);
    m_origin = QPoint(static_cast<int>(std::lround(middle.x() - centre.x())),
                      static_cast<int>(std::lround(middle.y() - centre.y())));
}

QSize Geometry::pixelSize() const
{
    return {static_cast<int>(std::ceil(m_viewport.size.width() * m_viewport.pixelRatio)),
            static_cast<int>(std::ceil(m_viewport.size.height() * m_viewport.pixelRatio))};
}

QRect Geometry::area() const
{
    return {QPoint(m_pixels.strips.width(), m_pixels.strips.height()),
            (pixelSize() - m_pixels.strips).expandedTo({1, 1})};
}

QRect Geometry::tile(QPoint place) const
{
    return {m_origin + QPoint(m_pixels.across.start(place.x()), m_pixels.down.start(place.y())),
            QSize(tileSide(), tileSide())};
}

QRect Geometry::mlpTile(const render::GridLayout::Mlp& mlp) const
{
    const PixelAxis& across = m_pixels.across;
    const PixelAxis& down = m_pixels.down;
    const QRect head = tile(mlp.place);
    return across.mlp > 0 ? QRect(head.left() + across.metrics.step(), head.top(),
                                  across.mlp - across.metrics.gap, head.height())
                          : QRect(head.left(), head.top() + down.metrics.step(), head.width(),
                                  down.mlp - down.metrics.gap);
}

QRect Geometry::grid() const
{
    return {m_origin, QSize(m_pixels.across.extent(), m_pixels.down.extent())};
}

QRect Geometry::visiblePlaces() const
{
    const QRect seen = area().translated(-m_origin);
    const QPoint first(m_pixels.across.tileAt(seen.left()), m_pixels.down.tileAt(seen.top()));
    const QPoint last(m_pixels.across.tileAt(seen.right()), m_pixels.down.tileAt(seen.bottom()));
    return QRect(first, last) & QRect(0, 0, m_pixels.across.tiles, m_pixels.down.tiles);
}

std::optional<QPoint> Geometry::placeAt(QPoint pixel) const
{
    const QPoint offset = pixel - m_origin;
    const QPoint place(m_pixels.across.tileAt(offset.x()), m_pixels.down.tileAt(offset.y()));
    const QRect all(0, 0, m_pixels.across.tiles, m_pixels.down.tiles);
    if (!area().contains(pixel) || !all.contains(place) || !tile(place).contains(pixel))
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
    return m_pixels.toUnits(view * m_viewport.pixelRatio - QPointF(m_origin));
}

QPointF Geometry::gridToView(QPointF grid) const
{
    return (m_pixels.toPixels(grid) + QPointF(m_origin)) / m_viewport.pixelRatio;
}

Geometry::Range Geometry::tokenToPixels(int token, int tokens) const
{
    const std::int64_t side = tileSide();
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
    const std::int64_t side = tileSide();
    const std::int64_t start = std::int64_t{pixel} * tokens;
    if (side < tokens)
        return {static_cast<int>(start / side), static_cast<int>((start + tokens - 1) / side)};
    const int token = static_cast<int>((2 * start + tokens) / (2 * side));
    return {token, token};
}

}  // namespace hs::grid
