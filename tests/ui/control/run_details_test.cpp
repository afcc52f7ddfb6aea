#include "support/catch.h"
#include "ui/explorer_desk.h"

#include <QSignalSpy>

#include <cmath>

using namespace hs;
using namespace hs::test;
using Call = FakeBackend::Call;

namespace {

constexpr std::size_t kTokens = 9;

/// Lets everything under way arrive, quiet work included: a run comes after it.
void drain(Desk& desk)
{
    desk.explorer->rerun();
    waitUntilIdle(*desk.explorer);
}

}  // namespace

TEST_CASE("a map comes after it was asked for, once, and is what the tiles show")
{
    Desk desk;
    desk.start();
    QSignalSpy ready(desk.explorer.get(), &Explorer::mapReady);
    const MapQuery query{Side::Left, 2};
    CHECK_FALSE(desk.explorer->map(query));
    CHECK_FALSE(desk.explorer->map(query));
    waitUntil(*desk.explorer, [&] { return ready.count() > 0; });
    const LayerMap map = desk.explorer->map(query);
    REQUIRE(map);
    CHECK(desk.fake->count(Call::Maps) == 1);
    for (int head = 0; head < 6; ++head)
        for (std::size_t cell = 0; cell < kTokens * kTokens; ++cell)
            REQUIRE(std::lround(255 * map[static_cast<std::size_t>(head) * kTokens * kTokens + cell]) ==
                    desk.left().run->after.tileOf({2, head})[cell]);
    CHECK_FALSE(desk.explorer->map({Side::Left, 4}));
    CHECK_FALSE(desk.explorer->map({Side::Left, -1}));
    CHECK(desk.fake->count(Call::Maps) == 1);
}

TEST_CASE("passing over many layers asks for few, the opened head's among them")
{
    Desk desk;
    desk.start(QStringLiteral("fake:60x1"), QString());
    desk.explorer->setCurrent(Side::Left, HeadId{3, 0});
    desk.fake->hold(Call::Maps);
    std::vector<int> layers;
    QObject::connect(desk.explorer.get(), &Explorer::mapReady, desk.explorer.get(),
                     [&](const MapQuery& query) { layers.push_back(query.layer); });
    desk.explorer->map({Side::Left, 59});
    desk.fake->waitUntilHeld(Call::Maps);
    for (const MapKind kind : {MapKind::Weights, MapKind::Scores})
        desk.explorer->map({Side::Left, 3, kind});
    for (int layer = 4; layer < 59; ++layer)
        desk.explorer->map({Side::Left, layer});
    desk.fake->release(Call::Maps);
    waitUntil(*desk.explorer, [&] { return std::ranges::count(layers, 3) == 2; });
    REQUIRE(layers.size() > 2);
    CHECK(layers[1] == 58);  // what the pointer is on comes before what it left
    CHECK(layers.size() < 16);
}

TEST_CASE("maps of an older run are not kept, and those still waited for are not computed")
{
    Desk desk;
    desk.start();
    desk.fake->hold(Call::Maps);
    desk.explorer->map({Side::Left, 1});
    desk.fake->waitUntilHeld(Call::Maps);
    for (const int layer : {2, 3})
        desk.explorer->map({Side::Left, layer});
    desk.explorer->toggleAblation(Side::Left, {{0, 0}});
    desk.fake->release(Call::Maps);
    waitUntilIdle(*desk.explorer);
    drain(desk);
    CHECK(desk.fake->count(Call::Maps) <= 2);
    for (const int layer : {1, 2, 3}) {
        waitUntil(*desk.explorer, [&] { return desk.explorer->map({Side::Left, layer}) != nullptr; });
        const LayerMap map = desk.explorer->map({Side::Left, layer});
        for (std::size_t cell = 0; cell < kTokens * kTokens; ++cell)
            REQUIRE(std::lround(255 * map[cell]) == desk.left().run->after.tileOf({layer, 0})[cell]);
    }
}

TEST_CASE("a map that comes after its run was replaced is dropped")
{
    Desk desk;
    desk.start();
    desk.fake->hold(Call::Maps);
    desk.explorer->map({Side::Left, 1});
    desk.fake->waitUntilHeld(Call::Maps);
    desk.explorer->map({Side::Left, 3});
    // Behind the held map come the run and then, asked for by the old run, the other map.
    desk.explorer->toggleAblation(Side::Left, {{0, 0}});
    desk.fake->release(Call::Maps);
    waitUntilIdle(*desk.explorer);
    waitUntil(*desk.explorer, [&] { return desk.explorer->map({Side::Left, 3}) != nullptr; });
    const LayerMap map = desk.explorer->map({Side::Left, 3});
    for (std::size_t cell = 0; cell < kTokens * kTokens; ++cell)
        REQUIRE(std::lround(255 * map[cell]) == desk.left().run->after.tileOf({3, 0})[cell]);
}

TEST_CASE("maps before ablation and of either side are told apart")
{
    Desk desk;
    desk.start();
    desk.explorer->toggleAblation(Side::Left, {{0, 0}});
    waitUntilIdle(*desk.explorer);
    const std::vector<MapQuery> queries = {{Side::Left, 2, MapKind::Weights, false},
                                           {Side::Left, 2, MapKind::Weights, true},
                                           {Side::Right, 2, MapKind::Weights, false}};
    for (const MapQuery& query : queries)
        desk.explorer->map(query);
    waitUntil(*desk.explorer, [&] {
        return std::ranges::all_of(queries,
                                   [&](const auto& query) { return bool(desk.explorer->map(query)); });
    });
    const auto isTile = [&](const MapQuery& query, const RunResult& run) {
        const LayerMap map = desk.explorer->map(query);
        for (std::size_t cell = 0; cell < kTokens * kTokens; ++cell)
            if (std::lround(255 * map[cell]) != run.tileOf({2, 0})[cell])
                return false;
        return true;
    };
    CHECK(isTile(queries[0], desk.left().run->after));
    CHECK_FALSE(isTile(queries[0], desk.left().run->before));
    CHECK(isTile(queries[1], desk.left().run->before));
    CHECK(isTile(queries[2], desk.right().run->after));
}

TEST_CASE("maps are kept within the budget, those used last")
{
    Preferences preferences;
    preferences.mapBudget = 12 * 6 * kTokens * kTokens * sizeof(float);
    Desk desk(preferences);
    desk.start(QStringLiteral("fake:30x6"), QString());
    const auto fetch = [&](int layer) {
        waitUntil(*desk.explorer, [&] { return desk.explorer->map({Side::Left, layer}) != nullptr; });
    };
    fetch(0);
    for (int layer = 1; layer < 30; ++layer) {
        fetch(layer);
        REQUIRE(desk.explorer->map({Side::Left, 0}));  // used all the time
    }
    const int asked = desk.fake->count(Call::Maps);
    CHECK(asked == 30);
    CHECK(desk.explorer->map({Side::Left, 29}));
    CHECK_FALSE(desk.explorer->map({Side::Left, 1}));
    drain(desk);
}

TEST_CASE("a map over the budget is refused once, with the remedy, until the budget is raised")
{
    Preferences preferences;
    preferences.mapBudget = 1000;
    Desk desk(preferences);
    desk.start();
    for (int time = 0; time < 3; ++time)
        for (int layer = 0; layer < 3; ++layer)
            CHECK_FALSE(desk.explorer->map({Side::Left, layer}));
    REQUIRE(desk.messages.size() == 1);
    CHECK(desk.messages[0].text.contains(QStringLiteral("preferences")));
    CHECK(desk.fake->count(Call::Maps) == 0);
    preferences.mapBudget = 1 << 20;
    desk.explorer->setPreferences(preferences);
    waitUntil(*desk.explorer, [&] { return desk.explorer->map({Side::Left, 0}) != nullptr; });
}

TEST_CASE("a map that failed is not asked for again until there is another run")
{
    Desk desk;
    desk.start();
    desk.fake->failNext(Call::Maps, {ErrorCode::TooLarge, "No room; close something.", {}});
    desk.explorer->map({Side::Left, 0});
    waitUntil(*desk.explorer, [&] { return !desk.messages.empty(); });
    CHECK_FALSE(desk.explorer->map({Side::Left, 0}));
    CHECK(desk.fake->count(Call::Maps) == 1);
    drain(desk);
    waitUntil(*desk.explorer, [&] { return desk.explorer->map({Side::Left, 0}) != nullptr; });
}

TEST_CASE("the pinned cell's weight in every head is what the maps say")
{
    Desk desk;
    desk.start();
    CHECK_FALSE(desk.explorer->cellWeights(Side::Left));
    desk.explorer->edit(QStringLiteral("Pin"), [](Document& document) {
        document.key = 2;
        document.query = 5;
    });
    waitUntil(*desk.explorer, [&] { return desk.explorer->cellWeights(Side::Left) != nullptr; });
    const auto cells = desk.explorer->cellWeights(Side::Left);
    CHECK(desk.fake->count(Call::Cells) == 1);
    REQUIRE(cells->size() == 24);
    for (int index = 0; index < 24; ++index)
        CHECK(std::lround(255 * (*cells)[static_cast<std::size_t>(index)]) ==
              desk.left().run->after.tileOf(desk.left().run->after.heads.at(index))[5 * kTokens + 2]);

    desk.explorer->edit(QStringLiteral("Pin"), [](Document& document) { document.query = 6; });
    CHECK_FALSE(desk.explorer->cellWeights(Side::Left));
    waitUntil(*desk.explorer, [&] { return desk.explorer->cellWeights(Side::Left) != nullptr; });
    CHECK(desk.explorer->cellWeights(Side::Left) != cells);
}

TEST_CASE("dragging a pin over many cells asks for few, the last among them")
{
    Desk desk;
    desk.start();
    desk.fake->hold(Call::Cells, /*isDeaf=*/true);
    for (int query = 0; query < 9; ++query) {
        desk.explorer->edit(QStringLiteral("Pin"), [&](Document& document) {
            document.key = 0;
            document.query = query;
        });
        desk.explorer->cellWeights(Side::Left);
    }
    desk.fake->release(Call::Cells);
    waitUntil(*desk.explorer, [&] { return desk.explorer->cellWeights(Side::Left) != nullptr; });
    CHECK(desk.fake->count(Call::Cells) <= 3);
    CHECK(std::lround(255 * desk.explorer->cellWeights(Side::Left)->front()) ==
          desk.left().run->after.tileOf({0, 0})[8 * kTokens]);
}
