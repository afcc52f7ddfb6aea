#include "grid/canvas.h"

#include "support/catch.h"
#include "ui/grid/pointer.h"
#include "ui/made_up_run.h"

#include <QAccessible>
#include <QtTest>

#include <functional>
#include <map>

using namespace hs;
using namespace hs::test;

namespace {

grid::Content madeUpContent(HeadShape heads = {4, 6, 6}, int tokens = 12)
{
    const engine::RunResult run = madeUpRun(heads, tokens);
    grid::Content content;
    content.title = QStringLiteral("Made up");
    content.tiles = render::TilePyramid::of(run);
    content.heads = allHeads(run);
    return content;
}

/// Tiles of one uniform weight each, all different.
grid::Content evenContent()
{
    engine::RunResult run;
    run.heads = {5, 7, 7};
    run.tileRows = run.tileColumns = 6;
    run.tokens.assign(6, 0);
    for (int layer = 0; layer < 5; ++layer) {
        const std::shared_ptr<std::uint8_t[]> tiles(new std::uint8_t[7 * 36]);
        for (std::size_t cell = 0; cell < 7 * 36; ++cell)
            tiles[cell] = static_cast<std::uint8_t>(20 + 6 * (7 * layer + static_cast<int>(cell / 36)));
        run.tiles.push_back(tiles);
    }
    grid::Content content;
    content.tiles = render::TilePyramid::of(run);
    content.heads = allHeads(run);
    content.look.colourMap = QStringLiteral("violet-yellow");
    content.look.scale = render::Scale::Linear;
    return content;
}

QRgb colourOf(const grid::Content& content, HeadId head, int query, int key)
{
    const int tokens = content.tiles->pattern().keys;
    const std::uint8_t value = content.tiles->tile(head, 0)[query * tokens + key];
    return render::ColourMap::named(content.look.colourMap).table(content.look.scale)[value];
}

}  // namespace

TEST_CASE("a cell has the colour of its weight at every pixel ratio")
{
    const double ratio = GENERATE(1.0, 1.25, 2.0);
    grid::Canvas canvas;
    canvas.resize(620, 430);
    grid::Content content = madeUpContent();
    content.look.labelCorner = render::LabelCorner::TopRight;  // above the diagonal, where no weights are
    canvas.setContent(content);
    const QImage image = picture(canvas, ratio);
    // Where the canvas would be on such a screen.
    const grid::Geometry geometry(canvas.places(), {}, {canvas.size(), ratio, 0, canvas.headingSize()});
    for (const HeadId head : content.heads)
        for (int query = 0; query < 12; ++query)
            for (int key = 0; key <= query; ++key) {
                const auto rows = geometry.tokenToPixels(query, 12);
                const auto columns = geometry.tokenToPixels(key, 12);
                const QPoint corner = geometry.tile({head.head, head.layer}).topLeft();
                if (query < 4 && key > 7)
                    continue;
                for (const int y : {rows.first, rows.last})
                    for (const int x : {columns.first, columns.last})
                        REQUIRE(image.pixel(corner + QPoint(x, y)) == colourOf(content, head, query, key));
            }
}

TEST_CASE("each drawn tile pixel hits the tile that drew it, at any zoom")
{
    grid::Canvas canvas;
    canvas.resize(260, 190);  // too small for labels, whose edges could have any colour
    grid::Content content = evenContent();
    content.flow = GENERATE(render::TileFlow{}, render::TileFlow{render::TileFlow::Kind::LayersDown, 3},
                            render::TileFlow{render::TileFlow::Kind::Wrapped, 9});
    canvas.setContent(content);
    const control::GridZoom zoom =
        GENERATE(control::GridZoom{}, control::GridZoom{27, {3, 2}}, control::GridZoom{36.4, {5.2, 1.1}});
    canvas.setZoom(zoom);
    const QImage image = picture(canvas);
    std::map<QRgb, HeadId> drawnBy;
    for (const HeadId head : content.heads)
        drawnBy[colourOf(content, head, 0, 0)] = head;
    REQUIRE(drawnBy.size() == 35);
    int pixels = 0;
    const QRect minimap = canvas.findChild<QWidget*>(QStringLiteral("minimap"))->geometry();
    for (int y = 0; y < image.height(); ++y)
        for (int x = 0; x < image.width(); ++x) {
            const auto found = drawnBy.find(image.pixel(x, y));
            if (found == drawnBy.end() || (zoom.tileSide > 0 && minimap.contains(x, y)))
                continue;
            ++pixels;
            REQUIRE(canvas.headAt(QPointF(x + 0.5, y + 0.5)) == found->second);
        }
    CHECK(pixels > 2000);
}

TEST_CASE("every state of a tile looks different from all others")
{
    grid::Canvas canvas;
    canvas.resize(620, 430);
    const grid::Content plain = madeUpContent();
    const HeadId head{1, 2};
    const auto look = [&](auto change) {
        grid::Content content = plain;
        grid::Marks marks;
        change(content, marks);
        canvas.setContent(content);
        canvas.setMarks(marks);
        return tilePicture(canvas, head);
    };
    const std::vector<QImage> looks = {
        look([](grid::Content&, grid::Marks&) {}),
        look([&](grid::Content& content, grid::Marks&) { content.ablated = {head}; }),
        look([&](grid::Content& content, grid::Marks&) { content.filtered = {head}; }),
        look([&](grid::Content& content, grid::Marks&) { content.isStale = true; }),
        look([&](grid::Content&, grid::Marks& marks) { marks.selected = {head}; }),
        look([&](grid::Content&, grid::Marks& marks) { marks.current = head; }),
        look([&](grid::Content&, grid::Marks& marks) {
            marks.current = head;
            marks.hasFocus = true;
        }),
        look([&](grid::Content&, grid::Marks& marks) {
            marks.pinnedKey = 2;
            marks.pinnedQuery = 8;
            marks.pinnedHeads = {head};
        }),
        look([&](grid::Content&, grid::Marks& marks) { marks.pinnedKey = 2; }),
        look([&](grid::Content&, grid::Marks& marks) { marks.hoveredKey = 2; }),
        look([&](grid::Content&, grid::Marks& marks) { marks.hoveredQuery = 8; }),
        look([&](grid::Content&, grid::Marks& marks) {
            marks.hoveredKey = 2;
            marks.hoveredQuery = 8;
        }),
        look([&](grid::Content&, grid::Marks& marks) {
            marks.hoveredKey = 2;
            marks.hoveredQuery = 8;
            marks.hoveredHead = head;
        }),
    };
    for (std::size_t first = 0; first < looks.size(); ++first)
        for (std::size_t second = first + 1; second < looks.size(); ++second) {
            CAPTURE(first, second);
            CHECK(looks[first] != looks[second]);
        }
}

TEST_CASE("on small tiles the hovered cell marks the hovered tile alone, and every other mark still shows")
{
    const int side = GENERATE(6, 10, 16, 24, 40, 80);
    CAPTURE(side);
    grid::Canvas canvas;
    canvas.resize(8 * (side + 8), 6 * (side + 8));
    const grid::Content plain = madeUpContent();
    const HeadId head{1, 2};
    const HeadId other{2, 4};
    const auto look = [&](auto change) {
        grid::Content content = plain;
        grid::Marks marks;
        change(content, marks);
        canvas.setContent(content);
        canvas.setMarks(marks);
        canvas.setZoom({static_cast<double>(side), {3, 2}});
        canvas.findChild<QWidget*>(QStringLiteral("minimap"))->hide();
        return picture(canvas);
    };
    const auto has = [&](const QImage& image, const QImage& before, HeadId tile) {
        const QRect room = canvas.tileRect(tile).toRect().adjusted(-4, -4, 4, 4);
        return image.copy(room) != before.copy(room);
    };
    const QImage before = look([](grid::Content&, grid::Marks&) {});
    const QImage hovered = look([&](grid::Content&, grid::Marks& marks) {
        marks.hoveredKey = 2;
        marks.hoveredQuery = 8;
        marks.hoveredHead = head;
    });
    CHECK(has(hovered, before, head));
    CHECK(has(hovered, before, other) == (side >= 20));
    const std::vector<std::function<void(grid::Content&, grid::Marks&)>> changes = {
        [&](grid::Content& content, grid::Marks&) { content.ablated = {head}; },
        [&](grid::Content& content, grid::Marks&) {
            content.badges = {{head, {{{QStringLiteral("1")}}, {}}}};
        },
        [&](grid::Content&, grid::Marks& marks) { marks.selected = {head}; },
        [&](grid::Content&, grid::Marks& marks) { marks.current = head; },
        [&](grid::Content&, grid::Marks& marks) { marks.hoveredKey = 2; },
        [&](grid::Content&, grid::Marks& marks) {
            marks.pinnedKey = 2;
            marks.pinnedQuery = 8;
            marks.pinnedHeads = {head};
        }};
    for (const auto& change : changes)
        CHECK(has(look(change), before, head));
}

TEST_CASE("a mark over several tokens covers all of them and no other")
{
    grid::Canvas canvas;
    canvas.resize(620, 430);
    canvas.setContent(madeUpContent());
    const QImage before = picture(canvas);
    grid::Marks marks;
    marks.hoveredKey = text::TokenSpan(3, 5);
    canvas.setMarks(marks);
    const QImage after = picture(canvas);
    for (int key = 0; key < 12; ++key) {
        const QPoint middle = cellCentre(canvas, {1, 2}, 11, key).toPoint();
        CHECK((before.pixel(middle) != after.pixel(middle)) == (key >= 3 && key <= 5));
    }
}

TEST_CASE("an ablated tile shows hatching and none of its cells")
{
    grid::Canvas canvas;
    canvas.resize(620, 430);
    grid::Content content = madeUpContent();
    content.ablated = {{2, 2}};
    canvas.setContent(content);
    const QImage image = picture(canvas);
    const QRect tile = canvas.tileRect({2, 2}).toRect();
    for (int query = 0; query < 12; ++query) {
        const QPoint at = cellCentre(canvas, {2, 2}, query, query).toPoint();
        CHECK(qGray(image.pixel(at)) > 120);
    }
    int lines = 0;
    for (int x = tile.left(); x <= tile.right(); ++x)
        lines += qGray(image.pixel(x, tile.center().y())) < 225;
    CHECK(lines > 4);
}

TEST_CASE("cells that are changed are hatched, and no others")
{
    grid::Canvas canvas;
    canvas.resize(700, 700);
    grid::Content content = madeUpContent({2, 2, 2});
    canvas.setContent(content);
    const QImage before = picture(canvas, 1);
    content.edited[{1, 0}] = {QRectF(0.25, 0.5, 0.25, 0.25)};
    canvas.setContent(content);
    const QImage after = picture(canvas, 1);
    const QRect hatched = canvas.tileRect({1, 0}).toRect();
    const QRect cells = render::placeIn(hatched, content.edited[{1, 0}].front()).toAlignedRect();
    int changed = 0;
    for (int y = 0; y < before.height(); ++y)
        for (int x = 0; x < before.width(); ++x)
            if (before.pixel(x, y) != after.pixel(x, y)) {
                ++changed;
                CHECK(cells.adjusted(-1, -1, 1, 1).contains(x, y));
            }
    CHECK(changed > cells.width() * cells.height() / 2);
}

TEST_CASE("layers that a run under way has done look as they will, the others are dimmed")
{
    grid::Canvas canvas;
    canvas.resize(620, 430);
    grid::Content content = madeUpContent();
    canvas.setContent(content);
    const QImage old = tilePicture(canvas, {3, 1});
    grid::Content done = content;
    done.tiles = render::TilePyramid::of(madeUpRun({4, 6, 6}, 9));
    canvas.setContent(done);
    const QImage next = tilePicture(canvas, {1, 1});

    content.isStale = true;
    content.fresh = render::TilePyramid::of(madeUpRun({2, 6, 6}, 9));
    canvas.setContent(content);
    CHECK(tilePicture(canvas, {1, 1}) == next);
    const QImage dimmed = tilePicture(canvas, {3, 1});
    CHECK(dimmed != old);
    for (int y = 0; y < old.height(); ++y)
        for (int x = 0; x < old.width(); ++x)
            REQUIRE(qGray(dimmed.pixel(x, y)) >= qGray(old.pixel(x, y)));
}

TEST_CASE("an old picture is dimmed, never blank")
{
    grid::Canvas canvas;
    canvas.resize(620, 430);
    grid::Content content = madeUpContent();
    canvas.setContent(content);
    const QImage fresh = picture(canvas);
    content.isStale = true;
    canvas.setContent(content);
    const QImage stale = picture(canvas);
    CHECK(stale != fresh);
    int drawn = 0;
    for (int y = 0; y < fresh.height(); ++y)
        for (int x = 0; x < fresh.width(); ++x) {
            REQUIRE(qGray(stale.pixel(x, y)) >= qGray(fresh.pixel(x, y)));
            drawn += qGray(stale.pixel(x, y)) < 240;
        }
    CHECK(drawn > 5000);
}

TEST_CASE("each head's peak is full colour where the scale is per head, and the first token can be hidden")
{
    engine::RunResult run = madeUpRun({1, 1, 1}, 4);
    const std::shared_ptr<std::uint8_t[]> tile(new std::uint8_t[16]{});
    tile[8] = 90;  // query 2, key 0
    tile[9] = 30;
    run.tiles = {tile};
    grid::Content content;
    content.tiles = render::TilePyramid::of(run);
    content.heads = allHeads(run);
    content.look.scale = render::Scale::Linear;
    grid::Canvas canvas;
    canvas.resize(400, 400);
    const render::ColourMap map = render::ColourMap::named(content.look.colourMap);
    const auto colourAt = [&](int query, int key) {
        return pixelAt(canvas, cellCentre(canvas, {0, 0}, query, key));
    };
    canvas.setContent(content);
    CHECK(colourAt(2, 0) == map.at(90));
    content.look.isPerHead = true;
    canvas.setContent(content);
    CHECK(colourAt(2, 0) == map.at(255));
    CHECK(colourAt(2, 1) == map.at(85));
    content.look.hidesFirstToken = true;
    canvas.setContent(content);
    CHECK(colourAt(2, 0) == map.at(0));
    CHECK(colourAt(2, 1) == map.at(255));
}

TEST_CASE("the label lies in the corner that was chosen")
{
    engine::RunResult run = madeUpRun({1, 1, 1}, 4);
    run.tiles = {std::shared_ptr<std::uint8_t[]>(new std::uint8_t[16]{})};
    grid::Content content;
    content.tiles = render::TilePyramid::of(run);
    content.heads = allHeads(run);
    grid::Canvas canvas;
    canvas.resize(120, 120);
    const auto inkIn = [&](render::LabelCorner label) {
        content.look.labelCorner = label;
        canvas.setContent(content);
        const QImage image = picture(canvas);
        std::array<int, 4> ink{};  // in LabelCorner's order
        for (int y = 10; y < 110; ++y)
            for (int x = 10; x < 110; ++x) {
                const std::size_t corner = (x < 60 ? 1U : 0U) + (y < 60 ? 0U : 2U);
                ink[corner] += qGray(image.pixel(x, y)) < 128;
            }
        return ink;
    };
    for (const render::LabelCorner label :
         {render::LabelCorner::TopRight, render::LabelCorner::TopLeft, render::LabelCorner::BottomRight,
          render::LabelCorner::BottomLeft}) {
        const std::array<int, 4> ink = inkIn(label);
        for (std::size_t corner = 0; corner < 4; ++corner)
            CHECK((ink[corner] > 20) == (corner == static_cast<std::size_t>(label)));
    }
}

TEST_CASE("a tile larger than its cells is drawn from the head's full map once it is there")
{
    engine::RunResult run = madeUpRun({1, 2, 2}, 8);  // pooled: 8 cells for 16 tokens
    run.tokens.assign(16, 0);
    grid::Content content;
    content.tiles = render::TilePyramid::of(run);
    content.heads = allHeads(run);
    content.look.scale = render::Scale::Linear;
    grid::Canvas canvas;
    canvas.resize(700, 360);
    canvas.setContent(content);
    CHECK(canvas.pooling() == QSize(2, 2));
    std::vector<float> map(256, 0.0f);
    map[9 * 16 + 5] = 0.6f;
    content.fullMaps = {{HeadId{0, 1}, render::TilePyramid::ofMap(map.data(), 16)}};
    canvas.setContent(content);
    CHECK(canvas.pooling() == QSize(1, 1));
    const render::ColourMap colours = render::ColourMap::named(content.look.colourMap);
    CHECK(pixelAt(canvas, cellCentre(canvas, {0, 1}, 9, 5)) == colours.at(153));
    CHECK(pixelAt(canvas, cellCentre(canvas, {0, 1}, 9, 4)) == colours.at(0));
}

TEST_CASE("where a pixel stands for several cells, the strongest one is under the pointer")
{
    engine::RunResult run = madeUpRun({8, 8, 8}, 64);
    grid::Content content;
    content.tiles = render::TilePyramid::of(run);
    content.heads = allHeads(run);
    grid::Canvas canvas;
    canvas.resize(200, 200);
    canvas.setContent(content);
    const int pooled = canvas.pooling().width();
    REQUIRE(pooled > 2);
    const QPointF at = cellCentre(canvas, {3, 3}, 40, 20);
    const grid::Geometry geometry = canvas.geometryNow();
    const QPoint within = geometry.viewToPixel(at) - geometry.tile({3, 3}).topLeft();
    const auto queries = geometry.pixelToTokens(within.y(), 64);
    const auto keys = geometry.pixelToTokens(within.x(), 64);
    CHECK(queries.last - queries.first + 1 >= pooled);
    const std::uint8_t* tile = run.tileOf({3, 3});
    std::optional<grid::TileCell> strongest;
    for (int query = queries.first; query <= queries.last; ++query)
        for (int key = keys.first; key <= keys.last; ++key)
            if (!strongest || tile[query * 64 + key] > tile[strongest->query * 64 + strongest->key])
                strongest = grid::TileCell{{3, 3}, query, key};
    const auto cell = canvas.cellAt(at);
    REQUIRE(cell);
    CHECK(tile[cell->query * 64 + cell->key] == tile[strongest->query * 64 + strongest->key]);
    CHECK(tile[cell->query * 64 + cell->key] > 0);
}

TEST_CASE("an empty grid says what to do next")
{
    grid::Canvas canvas;
    canvas.resize(400, 300);
    const QImage blank = picture(canvas);
    grid::Content content;
    content.emptyText = QStringLiteral("Type a prompt above.");
    canvas.setContent(content);
    CHECK(picture(canvas) != blank);
    CHECK_FALSE(canvas.headAt({200, 150}));
    wheel(canvas, {200, 150}, 3);
    QTest::keyClick(&canvas, Qt::Key_Right);
    QTest::keyClick(&canvas, Qt::Key_Plus);
    drag(canvas, {20, 20}, {300, 200});
    CHECK(canvas.zoom() == control::GridZoom());
}

TEST_CASE("a screen reader sees a table of heads")
{
    grid::Canvas canvas;
    canvas.resize(620, 430);
    grid::Content content = madeUpContent();
    content.ablated = {{1, 2}};
    content.filtered = {{3, 5}};
    content.density = {{{1, 2}, 0.004}};
    canvas.setContent(content);
    grid::Marks marks;
    marks.selected = {{0, 3}};
    canvas.setMarks(marks);
    QAccessibleInterface* grid = QAccessible::queryAccessibleInterface(&canvas);
    REQUIRE(grid);
    CHECK(grid->role() == QAccessible::Table);
    CHECK(grid->text(QAccessible::Name).contains(QStringLiteral("Made up")));
    QAccessibleTableInterface* table = grid->tableInterface();
    REQUIRE(table);
    CHECK(table->rowCount() == 4);
    CHECK(table->columnCount() == 6);
    CHECK(table->cellAt(1, 2)->text(QAccessible::Name) ==
          QStringLiteral("layer 1 head 2, density 0.4 %, ablated"));
    CHECK(table->cellAt(3, 5)->text(QAccessible::Name).contains(QStringLiteral("filtered")));
    CHECK(table->cellAt(0, 3)->tableCellInterface()->isSelected());
    CHECK_FALSE(table->cellAt(0, 2)->tableCellInterface()->isSelected());
    CHECK(table->selectedCellCount() == 1);
    CHECK(table->rowDescription(2) == QStringLiteral("layer 2"));
    CHECK_FALSE(table->cellAt(4, 0));
    CHECK(grid->indexOfChild(grid->child(7)) == 7);
    CHECK(table->cellAt(1, 2)->rect().size() == canvas.tileRect({1, 2}).toRect().size());
}
