#include "grid/geometry.h"

#include "grid/zoom.h"
#include "support/catch.h"

#include <array>
#include <random>
#include <set>

using namespace hs;

namespace {

std::vector<HeadId> matrixHeads(int layers, int heads)
{
    std::vector<HeadId> all;
    for (int layer = 0; layer < layers; ++layer)
        for (int head = 0; head < heads; ++head)
            all.push_back({layer, head});
    return all;
}

render::GridLayout anyPlaces(std::minstd_rand& random)
{
    const int rows = 1 + static_cast<int>(random() % 33);
    const int columns = 1 + static_cast<int>(random() % 33);
    using Kind = render::TileFlow::Kind;
    const Kind kind = std::array{Kind::LayersDown, Kind::LayersAcross, Kind::Wrapped}[random() % 3];
    const int blocks = 1 + static_cast<int>(random() % 5);
    return render::GridLayout(matrixHeads(rows, columns), {kind, blocks, /*hasMlps=*/random() % 2 == 0});
}

double number(std::minstd_rand& random, double low, double high)
{
    return low + (high - low) * static_cast<double>(random()) / static_cast<double>(std::minstd_rand::max());
}

grid::Viewport anyViewport(std::minstd_rand& random)
{
    const double ratios[] = {1, 1.25, 1.5, 2, 3};
    return {QSizeF(number(random, 60, 1600), number(random, 60, 1200)), ratios[random() % 5], 0,
            random() % 3 == 0 ? 0.0 : 9.0};
}

control::GridZoom anyZoom(std::minstd_rand& random)
{
    if (random() % 4 == 0)
        return {};
    return {number(random, 2, 900), {number(random, -2, 30), number(random, -2, 30)}};
}

}  // namespace

TEST_CASE("view to grid to view is the identity")
{
    std::minstd_rand random(11);
    for (int round = 0; round < 500; ++round) {
        const render::GridLayout places = anyPlaces(random);
        const grid::Geometry geometry(places, anyZoom(random), anyViewport(random));
        const QPointF view(number(random, -500, 2000), number(random, -500, 2000));
        const QPointF back = geometry.gridToView(geometry.viewToGrid(view));
        CAPTURE(round);
        REQUIRE(back.x() == Approx(view.x()).margin(1e-6));
        REQUIRE(back.y() == Approx(view.y()).margin(1e-6));
    }
}

TEST_CASE("a tile holds its own pixels and no other's")
{
    std::minstd_rand random(5);
    for (int round = 0; round < 60; ++round) {
        const render::GridLayout places = anyPlaces(random);
        control::GridZoom zoom = anyZoom(random);
        zoom.tileSide = std::min(zoom.tileSide, 40.0);
        grid::Viewport viewport = anyViewport(random);
        viewport.size = {300, 200};
        const grid::Geometry geometry(places, zoom, viewport);
        const QRect seen = geometry.visiblePlaces();
        const QSize size = geometry.pixelSize();
        for (int y = 0; y < size.height(); y += 3)
            for (int x = 0; x < size.width(); x += 3) {
                std::optional<QPoint> expected;
                for (int row = 0; row < places.rows(); ++row)
                    for (int column = 0; column < places.columns(); ++column)
                        if (geometry.tile({column, row}).contains(x, y) && geometry.area().contains(x, y))
                            expected = QPoint(column, row);
                REQUIRE(geometry.placeAt({x, y}) == expected);
                if (expected)
                    REQUIRE(seen.contains(*expected));
            }
    }
}

TEST_CASE("a grid that fits is seen whole, and one pixel more would not fit")
{
    std::minstd_rand random(3);
    for (int round = 0; round < 300; ++round) {
        const render::GridLayout places = anyPlaces(random);
        const grid::Viewport viewport = anyViewport(random);
        const grid::Geometry geometry(places, {}, viewport);
        if (geometry.tileSide() == 1)
            continue;
        CAPTURE(round, viewport.pixelRatio, geometry.tileSide());
        const QRect view(QPoint(), geometry.pixelSize());
        REQUIRE(view.contains(geometry.grid()));
        const double larger = (geometry.tileSide() + 1) / viewport.pixelRatio;
        const QSize next = grid::Geometry(places, {larger, {}}, viewport).pixels().extent();
        REQUIRE((next.width() > viewport.size.width() * viewport.pixelRatio ||
                 next.height() > viewport.size.height() * viewport.pixelRatio));
    }
}

TEST_CASE("zooming at the pointer keeps the cell under the pointer")
{
    std::minstd_rand random(23);
    constexpr int kTokens = 12;
    int checked = 0;
    for (int round = 0; round < 2000; ++round) {
        const render::GridLayout places = render::GridLayout(matrixHeads(8, 8), {});
        const grid::Viewport viewport = {QSizeF(700, 600), round % 2 == 0 ? 1.0 : 1.25, 0, 9};
        const grid::ZoomLimits limits = grid::ZoomLimits::of(places, viewport, kTokens);
        // Where the grid is larger than the view, which is then full wherever one zooms.
        const control::GridZoom zoom{number(random, 90, 400), {number(random, 1, 7), number(random, 1, 7)}};
        const grid::Geometry before(places, zoom, viewport);
        const QPointF view(number(random, 0, 700), number(random, 0, 600));
        const auto cellAt = [&](const grid::Geometry& geometry) -> std::optional<std::array<int, 4>> {
            const QPoint pixel = geometry.viewToPixel(view);
            const auto place = geometry.placeAt(pixel);
            if (!place)
                return std::nullopt;
            const QPoint within = pixel - geometry.tile(*place).topLeft();
            const int query = geometry.pixelToTokens(within.y(), kTokens).first;
            const int key = geometry.pixelToTokens(within.x(), kTokens).first;
            // Corners are rounded to whole pixels: only points at least a pixel inside the cell count.
            const auto rows = geometry.tokenToPixels(query, kTokens);
            const auto columns = geometry.tokenToPixels(key, kTokens);
            if (within.y() - rows.first < 2 || rows.last - within.y() < 2 || within.x() - columns.first < 2 ||
                columns.last - within.x() < 2)
                return std::nullopt;
            return std::array{place->x(), place->y(), query, key};
        };
        const auto cell = cellAt(before);
        if (!cell)
            continue;
        ++checked;
        const grid::Geometry after(
            places, grid::zoomedAbout(before, view, number(random, 1, 3), places, limits), viewport);
        const QPoint pixel = after.viewToPixel(view);
        REQUIRE(after.placeAt(pixel) == QPoint((*cell)[0], (*cell)[1]));
        const QPoint within = pixel - after.tile({(*cell)[0], (*cell)[1]}).topLeft();
        REQUIRE(after.pixelToTokens(within.y(), kTokens).first == (*cell)[2]);
        REQUIRE(after.pixelToTokens(within.x(), kTokens).first == (*cell)[3]);
    }
    CHECK(checked > 200);
}

TEST_CASE("zooming in and out again at one point comes back")
{
    const render::GridLayout places = render::GridLayout(matrixHeads(32, 32), {});
    const grid::Viewport viewport = {QSizeF(800, 800), 1, 0, 0};
    const grid::ZoomLimits limits = grid::ZoomLimits::of(places, viewport, 128);
    control::GridZoom zoom{60, {15, 16}};
    for (const double factor : {1.2, 1.2, 1.2, 1.2, 1 / 1.2, 1 / 1.2, 1 / 1.2, 1 / 1.2})
        zoom = grid::zoomedAbout(grid::Geometry(places, zoom, viewport), {333, 444}, factor, places, limits);
    CHECK(zoom.tileSide == Approx(60));
    CHECK(zoom.centre.x() == Approx(15).margin(1e-6));
    CHECK(zoom.centre.y() == Approx(16).margin(1e-6));
}

TEST_CASE("zoom ends where everything fits and where one cell fills the view")
{
    const render::GridLayout places = render::GridLayout(matrixHeads(32, 32), {});
    const grid::Viewport viewport = {QSizeF(800, 600), 1, 0, 0};
    const grid::ZoomLimits limits = grid::ZoomLimits::of(places, viewport, 128);
    control::GridZoom zoom;
    for (int step = 0; step < 200; ++step)
        zoom = grid::zoomedAbout(grid::Geometry(places, zoom, viewport), {400, 300}, 1.3, places, limits);
    const grid::Geometry closest(places, zoom, viewport);
    const auto cell = closest.tokenToPixels(40, 128);
    CHECK(cell.last - cell.first + 1 == Approx(600).margin(1));
    for (int step = 0; step < 200; ++step)
        zoom = grid::zoomedAbout(grid::Geometry(places, zoom, viewport), {10, 20}, 1 / 1.3, places, limits);
    CHECK(zoom == control::GridZoom());
}

TEST_CASE("no room is left unused at one edge while the grid is cut off at the other")
{
    std::minstd_rand random(7);
    for (int round = 0; round < 500; ++round) {
        const render::GridLayout places = anyPlaces(random);
        const grid::Viewport viewport = anyViewport(random);
        const grid::Geometry from(places, anyZoom(random), viewport);
        const QPointF distance(number(random, -4000, 4000), number(random, -4000, 4000));
        const grid::ZoomLimits limits = grid::ZoomLimits::of(places, viewport, 16);
        const control::GridZoom zoom =
            round % 2 == 0 ? grid::panned(from, distance, places)
                           : grid::zoomedAbout(from, {50, 40}, number(random, 0.3, 3), places, limits);
        const grid::Geometry after(places, zoom, viewport);
        const QRect all = after.grid().adjusted(-after.pixels().margin, -after.pixels().margin,
                                                after.pixels().margin, after.pixels().margin);
        const QRect area = after.area();
        CAPTURE(round, after.tileSide());
        const auto isWasted = [](int low, int high, int first, int last) {
            return (low < first - 1 && high < last - 1) || (low > first + 1 && high > last + 1);
        };
        REQUIRE_FALSE(isWasted(all.left(), all.right(), area.left(), area.right()));
        REQUIRE_FALSE(isWasted(all.top(), all.bottom(), area.top(), area.bottom()));
        if (all.width() <= area.width())
            REQUIRE(std::abs(all.left() - area.left()) <= 1);
    }
}

TEST_CASE("zooming to a part of the grid shows all of it, as large as there is room for")
{
    std::minstd_rand random(19);
    for (int round = 0; round < 200; ++round) {
        const render::GridLayout places = anyPlaces(random);
        const grid::Viewport viewport = anyViewport(random);
        const QPoint first(static_cast<int>(random()) % places.columns(),
                           static_cast<int>(random()) % places.rows());
        const QRect part(first, QPoint(std::min(first.x() + 2, places.columns() - 1), first.y()));
        const control::GridZoom zoom = grid::zoomedTo(grid::Geometry(places, {}, viewport), part, places,
                                                      grid::ZoomLimits::of(places, viewport, 16));
        const grid::Geometry after(places, zoom, viewport);
        const QRect seen = after.tile(part.topLeft()) | after.tile(part.bottomRight());
        CAPTURE(round, after.tileSide());
        REQUIRE(after.area().contains(seen));
        if (zoom.tileSide > 0)
            REQUIRE((seen.width() * 1.2 + 30 > after.area().width() ||
                     seen.height() * 1.2 + 30 > after.area().height()));
    }
}

TEST_CASE("at 100 percent every cell is the same whole number of screen pixels")
{
    for (const double ratio : {1.0, 1.25, 2.0})
        for (const int tokens : {1, 7, 15, 64, 100, 128, 400}) {
            const int pixels = grid::PixelMetrics::forSide(grid::actualTileSide(tokens, ratio), ratio).side;
            CAPTURE(ratio, tokens, pixels);
            CHECK(pixels % tokens == 0);
            CHECK(pixels >= 64 * ratio);
        }
}

TEST_CASE("tokens and pixels of a tile belong to each other")
{
    const render::GridLayout places = render::GridLayout({{0, 0}}, {});
    for (const int side : {3, 10, 16, 37, 200})
        for (const int tokens : {1, 3, 10, 16, 128}) {
            const grid::Geometry geometry(places, {static_cast<double>(side), {0.5, 0.5}},
                                          {QSizeF(300, 300), 1, 0, 0});
            REQUIRE(geometry.tileSide() == side);
            for (int token = 0; token < tokens; ++token) {
                const auto pixels = geometry.tokenToPixels(token, tokens);
                REQUIRE(pixels.first >= 0);
                REQUIRE(pixels.last < side);
                REQUIRE(pixels.first <= pixels.last);
                for (int pixel = pixels.first; pixel <= pixels.last; ++pixel) {
                    const auto hit = geometry.pixelToTokens(pixel, tokens);
                    REQUIRE(hit.first <= token);
                    REQUIRE(hit.last >= token);
                }
            }
        }
}

TEST_CASE("a zoom between two shares the place they share")
{
    const control::GridZoom from{20, {10, 10}};
    const control::GridZoom to{80, {4, 12}};
    CHECK(grid::between(from, to, 0).centre == from.centre);
    CHECK(grid::between(from, to, 1).centre.x() == Approx(4));
    CHECK(grid::between(from, to, 1).tileSide == Approx(80));
    CHECK(grid::between(from, to, 0.5).tileSide == Approx(40));
}

TEST_CASE("each layer has a slim tile, which shares no pixel with any other tile")
{
    std::minstd_rand random(23);
    for (int round = 0; round < 200; ++round) {
        using Kind = render::TileFlow::Kind;
        const int layers = 1 + static_cast<int>(random() % 9);
        const int heads = 1 + static_cast<int>(random() % 9);
        const render::TileFlow flow{
            std::array{Kind::LayersDown, Kind::LayersAcross, Kind::Wrapped}[random() % 3],
            1 + static_cast<int>(random() % 12), true};
        std::vector<HeadId> all = matrixHeads(layers, heads);
        if (layers > 1 && random() % 2 == 0)
            all.erase(all.begin());  // layers of different lengths
        const render::GridLayout places(all, flow);
        const grid::Geometry geometry(places, {}, {QSizeF(900, 700), 1.5, 0, 9});
        CAPTURE(round, layers, heads, flow.kind, flow.count);
        std::set<int> found;
        std::vector<QRect> slims;
        for (const render::GridLayout::Mlp& mlp : places.mlps()) {
            const QRect slim = geometry.mlpTile(mlp);
            REQUIRE_FALSE(slim.isEmpty());
            REQUIRE(geometry.grid().contains(slim));
            for (int other = 0; other < places.count(); ++other)
                REQUIRE_FALSE(geometry.tile(places.place(other)).intersects(slim));
            for (const QRect& other : slims)
                REQUIRE_FALSE(other.intersects(slim));
            slims.push_back(slim);
            found.insert(places.heads()[static_cast<std::size_t>(mlp.head)].layer);
        }
        REQUIRE(found.size() == slims.size());
        REQUIRE(static_cast<int>(found.size()) == render::HeadCounts::of(all).numbers.layers);
    }
}

TEST_CASE("in a list the slim tile of a layer is right behind its last head")
{
    for (const int columns : {1, 4, 5, 9, 12, 18, 22, 270}) {
        const render::GridLayout places(matrixHeads(30, 9),
                                        {render::TileFlow::Kind::Wrapped, columns, /*hasMlps=*/true});
        CAPTURE(columns);
        REQUIRE(places.mlps().size() == 30);
        for (const render::GridLayout::Mlp& mlp : places.mlps()) {
            CHECK(places.heads()[static_cast<std::size_t>(mlp.head)].head == 8);
            CHECK(places.place(mlp.head) == mlp.place);
        }
    }
}

TEST_CASE("a list in another order than that of layers has no slim tiles, and no room for them")
{
    std::vector<HeadId> heads = matrixHeads(6, 4);
    std::swap(heads[3], heads[20]);
    using Kind = render::TileFlow::Kind;
    const render::GridLayout places(heads, {Kind::Wrapped, 8, /*hasMlps=*/true});
    CHECK(places.mlps().empty());
    CHECK(places.shape() == render::GridLayout(heads, {Kind::Wrapped, 8}).shape());
}
