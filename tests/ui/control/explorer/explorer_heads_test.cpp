#include "render/tile_likeness.h"
#include "support/catch.h"
#include "ui/explorer_under_test.h"

#include <QSignalSpy>
#include <QUndoStack>

using namespace hs;
using namespace hs::test;

TEST_CASE("a click ablates a head with the chosen tool, a second one restores it")
{
    ExplorerUnderTest tested;
    tested.start();
    control::Explorer& explorer = *tested.explorer;
    const auto& ablations = explorer.document().side(Side::Left).ablations;
    explorer.edit(QStringLiteral("Mean"),
                  [](control::Document& document) { document.tool.kind = engine::HeadAblation::Kind::Mean; });
    explorer.toggleAblation(Side::Left, {{1, 1}});
    CHECK(ablations == std::map<HeadId, HeadChange>{{{1, 1}, engine::HeadAblation::Kind::Mean}});
    explorer.toggleAblation(Side::Left, {{1, 1}, {1, 2}});
    CHECK(ablations.size() == 2);
    explorer.toggleAblation(Side::Left, {{1, 1}, {1, 2}});
    CHECK(ablations.empty());
    CHECK(explorer.document().side(Side::Right).ablations.empty());
}

TEST_CASE("with the whole group chosen, ablating reaches every head that shares the keys")
{
    ExplorerUnderTest tested;
    tested.start(QStringLiteral("fake:2x6/2"), QString());
    control::Explorer& explorer = *tested.explorer;
    explorer.edit(QStringLiteral("Groups"),
                  [](control::Document& document) { document.tool.isWholeGroup = true; });
    explorer.toggleAblation(Side::Left, {{1, 4}});
    std::set<HeadId> ablated;
    for (const auto& [head, kind] : explorer.document().side(Side::Left).ablations)
        ablated.insert(head);
    CHECK(ablated == std::set<HeadId>{{1, 3}, {1, 4}, {1, 5}});
}

TEST_CASE("keeping heads alone ablates all others")
{
    ExplorerUnderTest tested;
    tested.start(QStringLiteral("fake:2x3"), QString());
    tested.explorer->setAblated(Side::Left, {{0, 1}}, true);
    tested.explorer->keepOnly(Side::Left, {{0, 1}, {1, 0}});
    const auto& ablations = tested.explorer->document().side(Side::Left).ablations;
    CHECK(ablations.size() == 4);
    CHECK_FALSE(ablations.contains({0, 1}));
    CHECK_FALSE(ablations.contains({1, 0}));
}

TEST_CASE("the filter names the heads that match, and what is wrong with it")
{
    ExplorerUnderTest tested;
    tested.start();
    control::Explorer& explorer = *tested.explorer;
    const auto setFilter = [&](const char* text) {
        explorer.edit(QStringLiteral("Filter"),
                      [&](control::Document& document) { document.filter = QString::fromUtf8(text); });
    };
    CHECK(explorer.matchingHeads(Side::Left).size() == 24);
    setFilter("L2H*");
    CHECK(explorer.matchingHeads(Side::Left).size() == 6);
    CHECK(explorer.filterProblem().isEmpty());
    setFilter("density < 0.5");
    CHECK(explorer.matchingHeads(Side::Left).empty());
    CHECK(explorer.matchingHeads(Side::Right).size() == 24);
    setFilter("density <");
    CHECK_FALSE(explorer.filterProblem().isEmpty());
    CHECK(explorer.matchingHeads(Side::Left).size() == 24);
}

TEST_CASE("a ranked list shows the heads by their statistics")
{
    ExplorerUnderTest tested;
    tested.start();
    tested.explorer->edit(QStringLiteral("Rank"), [](control::Document& document) {
        document.side(Side::Left).grid.form = control::GridChoice::Form::List;
        document.side(Side::Left).grid.order = QStringLiteral("entropy");
    });
    const std::vector<HeadId> heads = tested.explorer->shownHeads(Side::Left);
    REQUIRE(heads.size() == 24);
    for (std::size_t index = 1; index < heads.size(); ++index)
        CHECK(tested.left().run->after.statsOf(heads[index - 1]).entropy >=
              tested.left().run->after.statsOf(heads[index]).entropy);
}

TEST_CASE("selection, current head and pointer tell of changes only")
{
    ExplorerUnderTest tested;
    tested.start();
    control::Explorer& explorer = *tested.explorer;
    QSignalSpy selection(&explorer, &control::Explorer::selectionChanged);
    QSignalSpy current(&explorer, &control::Explorer::currentChanged);
    QSignalSpy hover(&explorer, &control::Explorer::hoverChanged);
    for (int time = 0; time < 2; ++time) {
        explorer.select({{1, 1}});
        explorer.setCurrent(Side::Right, HeadId{1, 1});
        explorer.setHover({Side::Left, HeadId{0, 0}, 3, 2});
    }
    CHECK(selection.count() == 1);
    CHECK(current.count() == 1);
    CHECK(hover.count() == 1);
    CHECK(explorer.activeSide() == Side::Right);
    CHECK(explorer.history().count() == 0);
}

TEST_CASE("an order by likeness comes late, has every head once, and follows what is compared")
{
    ExplorerUnderTest tested;
    tested.start();
    const auto shown = [&] { return tested.explorer->shownHeads(Side::Left); };
    const std::vector<HeadId> given = shown();
    tested.explorer->edit(QStringLiteral("Order"), [](control::Document& document) {
        document.side(Side::Left).grid.form = control::GridChoice::Form::List;
        document.side(Side::Left).grid.order = control::kByLikeness;
    });
    const render::TilePyramid& tiles = *tested.left().run->tiles;
    waitUntil(*tested.explorer, [&] { return shown() == render::headsByLikeness(tiles, false); });
    CHECK(shown() != given);
    std::vector<HeadId> sorted = shown();
    std::ranges::sort(sorted);
    CHECK(sorted == given);
    tested.explorer->edit(QStringLiteral("Look"),
                          [](control::Document& document) { document.look.hidesFirstToken = true; });
    waitUntil(*tested.explorer, [&] { return shown() == render::headsByLikeness(tiles, true); });
}
