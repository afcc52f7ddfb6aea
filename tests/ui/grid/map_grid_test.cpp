// Grids of maps from a file: rectangular, not causal, with fewer heads in some layers.
#include "support/catch.h"
#include "ui/grid/grids_under_test.h"
#include "ui/grid/pointer.h"

#include <QMenu>
#include <QToolButton>

using namespace hs;
using namespace hs::test;

TEST_CASE("every pixel of a rectangular tile hits the cell that drew it")
{
    GridsUnderTest maps(QStringLiteral("maps:3x4:7x19"), QString());
    grid::Canvas& canvas = maps.canvas(Side::Left);
    const grid::Content& content = canvas.content();
    const QImage image = picture(canvas);
    const QList<QRgb> table = render::ColourMap::named(content.look.colourMap).table(content.look.scale);
    const HeadId head{1, 2};
    const QRect tile = canvas.tileRect(head).toRect();
    REQUIRE(tile.width() == tile.height());
    REQUIRE(tile.width() > 40);
    int cells = 0;
    for (int y = tile.top() + tile.height() / 3; y <= tile.bottom(); ++y)  // below the label
        for (int x = tile.left(); x <= tile.right(); ++x) {
            const auto cell = canvas.cellAt(QPointF(x + 0.5, y + 0.5));
            REQUIRE(cell);
            REQUIRE(cell->head == head);
            const std::uint8_t value = content.tiles->tile(head, 0)[cell->query * 19 + cell->key];
            REQUIRE(image.pixel(x, y) == table[value]);
            cells = std::max(cells, cell->query * 19 + cell->key);
        }
    CHECK(cells == 7 * 19 - 1);
}

TEST_CASE("the read-out names a query and a key by their own tokens, and any key has a weight")
{
    GridsUnderTest maps(QStringLiteral("maps:3x4:7x19"), QString());
    maps.explorer().setHover({Side::Left, HeadId{0, 0}, 2, 15});
    const QString text = maps.grids->readout();
    CHECK(text.contains(QStringLiteral("query 2 “q2” → key 15 “k15”")));
    CHECK(text.contains(QStringLiteral("weight")));
    CHECK_FALSE(text.contains(QStringLiteral("score")));
    CHECK_FALSE(text.contains(QStringLiteral("comes after")));
}

TEST_CASE("the caption of maps tells their size, and nothing about runs")
{
    GridsUnderTest maps(QStringLiteral("maps:3x4:7x19"), QStringLiteral("maps:3x4:9x9"));
    CHECK(maps.grids->grid(Side::Left).caption() == QStringLiteral("12 of 12 heads · 7 queries × 19 keys"));
    CHECK(maps.grids->grid(Side::Right).caption() ==
          QStringLiteral("12 of 12 heads · 9 tokens, bidirectional"));
}

TEST_CASE("a layer with fewer heads leaves places empty")
{
    GridsUnderTest maps(QStringLiteral("maps:3x4:6x6+ragged"), QString());
    grid::Canvas& canvas = maps.canvas(Side::Left);
    CHECK(canvas.content().heads.size() == 11);
    CHECK(canvas.tileRect({1, 3}).isEmpty());
    const QRectF beside = canvas.tileRect({1, 2});
    const QRectF above = canvas.tileRect({0, 3});
    const QPointF lacking(above.center().x(), beside.center().y());
    CHECK_FALSE(canvas.headAt(lacking));
    CHECK_FALSE(canvas.cellAt(lacking));
}

TEST_CASE("a click on a tile of maps makes it the current one and ablates nothing")
{
    GridsUnderTest maps(QStringLiteral("maps:3x4:7x19"), QString());
    click(maps.canvas(Side::Left), maps.canvas(Side::Left).tileRect({2, 1}).center());
    CHECK(maps.explorer().currentHead() == HeadId{2, 1});
    CHECK(maps.explorer().document().side(Side::Left).ablations.empty());
}

TEST_CASE("a file of several blocks offers the others beside the title")
{
    GridsUnderTest maps(QStringLiteral("maps:3x4:9x9#decoder"), QStringLiteral("maps:3x4:9x9"));
    auto& chooser = *maps.grids->grid(Side::Left).findChild<QToolButton*>(QStringLiteral("blockChooser"));
    CHECK(chooser.isVisible());
    CHECK_FALSE(
        maps.grids->grid(Side::Right).findChild<QToolButton*>(QStringLiteral("blockChooser"))->isVisible());
    const QList<QAction*> actions = chooser.menu()->actions();
    REQUIRE(actions.size() == 3);
    CHECK_FALSE(actions[0]->isChecked());
    CHECK(actions[1]->isChecked());
    actions[2]->trigger();
    waitUntilIdle(maps.explorer());
    CHECK(maps.explorer().document().side(Side::Left).model == QStringLiteral("maps:3x4:9x9#cross"));
    CHECK(chooser.menu()->actions()[2]->isChecked());
}

TEST_CASE("a batch offers its items")
{
    GridsUnderTest maps(QStringLiteral("maps:3x4:9x9+batch"), QString());
    auto& chooser = *maps.grids->grid(Side::Left).findChild<QToolButton*>(QStringLiteral("blockChooser"));
    const QList<QAction*> actions = chooser.menu()->actions();
    REQUIRE(actions.size() == 3);
    CHECK(actions[1]->isChecked());
    actions[2]->trigger();
    CHECK(maps.explorer().document().side(Side::Left).model == QStringLiteral("maps:3x4:9x9+batch#2"));
}
