#include "support/catch.h"
#include "ui/explorer_under_test.h"

#include <QSignalSpy>

#include <cmath>

using namespace hs;
using namespace hs::test;
using Call = FakeBackend::Call;

namespace {

constexpr std::size_t kTokens = 9;

/// Lets everything under way arrive, including quiet work: a run comes after it.
void drain(ExplorerUnderTest& tested)
{
    tested.explorer->rerun();
    waitUntilIdle(*tested.explorer);
}

}  // namespace

TEST_CASE("a map comes after it was asked for, once, and is what the tiles show")
{
    ExplorerUnderTest tested;
    tested.start();
    QSignalSpy ready(tested.explorer.get(), &control::Explorer::mapReady);
    const service::MapQuery query{Side::Left, 2};
    CHECK_FALSE(tested.explorer->map(query));
    CHECK_FALSE(tested.explorer->map(query));
    waitUntil(*tested.explorer, [&] { return ready.count() > 0; });
    const engine::LayerMap map = tested.explorer->map(query);
    REQUIRE(map);
    CHECK(tested.fake->count(Call::Maps) == 1);
    for (int head = 0; head < 6; ++head)
        for (std::size_t cell = 0; cell < kTokens * kTokens; ++cell)
            REQUIRE(std::lround(255 * map[static_cast<std::size_t>(head) * kTokens * kTokens + cell]) ==
                    tested.left().run->after.tileOf({2, head})[cell]);
    CHECK_FALSE(tested.explorer->map({Side::Left, 4}));
    CHECK_FALSE(tested.explorer->map({Side::Left, -1}));
    CHECK(tested.fake->count(Call::Maps) == 1);
}

TEST_CASE("passing over many layers asks for few, the opened head's among them")
{
    ExplorerUnderTest tested;
    tested.start(QStringLiteral("fake:60x1"), QString());
    tested.explorer->setCurrent(Side::Left, HeadId{3, 0});
    tested.fake->hold(Call::Maps);
    std::vector<int> layers;
    QObject::connect(tested.explorer.get(), &control::Explorer::mapReady, tested.explorer.get(),
                     [&](const service::MapQuery& query) { layers.push_back(query.layer); });
    tested.explorer->map({Side::Left, 59});
    tested.fake->waitUntilHeld(Call::Maps);
    for (const engine::MapKind kind : {engine::MapKind::Weights, engine::MapKind::Scores})
        tested.explorer->map({Side::Left, 3, kind});
    for (int layer = 4; layer < 59; ++layer)
        tested.explorer->map({Side::Left, layer});
    tested.fake->release(Call::Maps);
    waitUntil(*tested.explorer, [&] { return std::ranges::count(layers, 3) == 2; });
    REQUIRE(layers.size() > 2);
    CHECK(layers[1] == 58);  // what the pointer is on comes before what it left
    CHECK(layers.size() < 16);
}

TEST_CASE("maps of an older run are not kept, and those still waited for are not computed")
{
    ExplorerUnderTest tested;
    tested.start();
    tested.fake->hold(Call::Maps);
    tested.explorer->map({Side::Left, 1});
    tested.fake->waitUntilHeld(Call::Maps);
    for (const int layer : {2, 3})
        tested.explorer->map({Side::Left, layer});
    tested.explorer->toggleAblation(Side::Left, {{0, 0}});
    tested.fake->release(Call::Maps);
    waitUntilIdle(*tested.explorer);
    drain(tested);
    CHECK(tested.fake->count(Call::Maps) <= 2);
    for (const int layer : {1, 2, 3}) {
        waitUntil(*tested.explorer, [&] { return tested.explorer->map({Side::Left, layer}) != nullptr; });
        const engine::LayerMap map = tested.explorer->map({Side::Left, layer});
        for (std::size_t cell = 0; cell < kTokens * kTokens; ++cell)
            REQUIRE(std::lround(255 * map[cell]) == tested.left().run->after.tileOf({layer, 0})[cell]);
    }
}

TEST_CASE("a map that comes after its run was replaced is dropped")
{
    ExplorerUnderTest tested;
    tested.start();
    tested.fake->hold(Call::Maps);
    tested.explorer->map({Side::Left, 1});
    tested.fake->waitUntilHeld(Call::Maps);
    tested.explorer->map({Side::Left, 3});
    // After the held map come the run and then the other map, requested for the old run.
    tested.explorer->toggleAblation(Side::Left, {{0, 0}});
    tested.fake->release(Call::Maps);
    waitUntilIdle(*tested.explorer);
    waitUntil(*tested.explorer, [&] { return tested.explorer->map({Side::Left, 3}) != nullptr; });
    const engine::LayerMap map = tested.explorer->map({Side::Left, 3});
    for (std::size_t cell = 0; cell < kTokens * kTokens; ++cell)
        REQUIRE(std::lround(255 * map[cell]) == tested.left().run->after.tileOf({3, 0})[cell]);
}

TEST_CASE("maps before ablation and of either side are told apart")
{
    ExplorerUnderTest tested;
    tested.start();
    tested.explorer->toggleAblation(Side::Left, {{0, 0}});
    waitUntilIdle(*tested.explorer);
    const std::vector<service::MapQuery> queries = {{Side::Left, 2, engine::MapKind::Weights, false},
                                                    {Side::Left, 2, engine::MapKind::Weights, true},
                                                    {Side::Right, 2, engine::MapKind::Weights, false}};
    for (const service::MapQuery& query : queries)
        tested.explorer->map(query);
    waitUntil(*tested.explorer, [&] {
        return std::ranges::all_of(queries,
                                   [&](const auto& query) { return bool(tested.explorer->map(query)); });
    });
    const auto isTile = [&](const service::MapQuery& query, const engine::RunResult& run) {
        const engine::LayerMap map = tested.explorer->map(query);
        for (std::size_t cell = 0; cell < kTokens * kTokens; ++cell)
            if (std::lround(255 * map[cell]) != run.tileOf({2, 0})[cell])
                return false;
        return true;
    };
    CHECK(isTile(queries[0], tested.left().run->after));
    CHECK_FALSE(isTile(queries[0], tested.left().run->before));
    CHECK(isTile(queries[1], tested.left().run->before));
    CHECK(isTile(queries[2], tested.right().run->after));
}

TEST_CASE("maps are kept within the budget, those used last")
{
    control::Preferences preferences;
    preferences.mapBudget = 12 * 6 * kTokens * kTokens * sizeof(float);
    ExplorerUnderTest tested(preferences);
    tested.start(QStringLiteral("fake:30x6"), QString());
    const auto fetch = [&](int layer) {
        waitUntil(*tested.explorer, [&] { return tested.explorer->map({Side::Left, layer}) != nullptr; });
    };
    fetch(0);
    for (int layer = 1; layer < 30; ++layer) {
        fetch(layer);
        REQUIRE(tested.explorer->map({Side::Left, 0}));  // used constantly
    }
    const int asked = tested.fake->count(Call::Maps);
    CHECK(asked == 30);
    CHECK(tested.explorer->map({Side::Left, 29}));
    CHECK_FALSE(tested.explorer->map({Side::Left, 1}));
    drain(tested);
}

TEST_CASE("a map over the budget is refused once, with the remedy, until the budget is raised")
{
    control::Preferences preferences;
    preferences.mapBudget = 1000;
    ExplorerUnderTest tested(preferences);
    tested.start();
    for (int time = 0; time < 3; ++time)
        for (int layer = 0; layer < 3; ++layer)
            CHECK_FALSE(tested.explorer->map({Side::Left, layer}));
    REQUIRE(tested.messages.size() == 1);
    CHECK(tested.messages[0].text.contains(QStringLiteral("preferences")));
    CHECK(tested.fake->count(Call::Maps) == 0);
    preferences.mapBudget = 1 << 20;
    tested.explorer->setPreferences(preferences);
    waitUntil(*tested.explorer, [&] { return tested.explorer->map({Side::Left, 0}) != nullptr; });
}

TEST_CASE("a map that failed is not asked for again until there is another run")
{
    ExplorerUnderTest tested;
    tested.start();
    tested.fake->failNext(Call::Maps, {ErrorCode::TooLarge, "No room; close something.", {}});
    tested.explorer->map({Side::Left, 0});
    waitUntil(*tested.explorer, [&] { return !tested.messages.empty(); });
    CHECK_FALSE(tested.explorer->map({Side::Left, 0}));
    CHECK(tested.fake->count(Call::Maps) == 1);
    drain(tested);
    waitUntil(*tested.explorer, [&] { return tested.explorer->map({Side::Left, 0}) != nullptr; });
}

TEST_CASE("the pinned cell's weight in every head is what the maps say")
{
    ExplorerUnderTest tested;
    tested.start();
    CHECK_FALSE(tested.explorer->cellWeights(Side::Left));
    tested.explorer->edit(QStringLiteral("Pin"), [](control::Document& document) {
        document.key = 2;
        document.query = 5;
    });
    waitUntil(*tested.explorer, [&] { return tested.explorer->cellWeights(Side::Left) != nullptr; });
    const auto cells = tested.explorer->cellWeights(Side::Left);
    CHECK(tested.fake->count(Call::Cells) == 1);
    REQUIRE(cells->size() == 24);
    for (int index = 0; index < 24; ++index)
        CHECK(std::lround(255 * (*cells)[static_cast<std::size_t>(index)]) ==
              tested.left().run->after.tileOf(tested.left().run->after.heads.at(index))[5 * kTokens + 2]);

    tested.explorer->edit(QStringLiteral("Pin"), [](control::Document& document) { document.query = 6; });
    CHECK_FALSE(tested.explorer->cellWeights(Side::Left));
    waitUntil(*tested.explorer, [&] { return tested.explorer->cellWeights(Side::Left) != nullptr; });
    CHECK(tested.explorer->cellWeights(Side::Left) != cells);
}

TEST_CASE("dragging a pin over many cells asks for few, the last among them")
{
    ExplorerUnderTest tested;
    tested.start();
    tested.fake->hold(Call::Cells, /*isDeaf=*/true);
    for (int query = 0; query < 9; ++query) {
        tested.explorer->edit(QStringLiteral("Pin"), [&](control::Document& document) {
            document.key = 0;
            document.query = query;
        });
        tested.explorer->cellWeights(Side::Left);
    }
    tested.fake->release(Call::Cells);
    waitUntil(*tested.explorer, [&] { return tested.explorer->cellWeights(Side::Left) != nullptr; });
    CHECK(tested.fake->count(Call::Cells) <= 3);
    CHECK(std::lround(255 * tested.explorer->cellWeights(Side::Left)->front()) ==
          tested.left().run->after.tileOf({0, 0})[8 * kTokens]);
}
