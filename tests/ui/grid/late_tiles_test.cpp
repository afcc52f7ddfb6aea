#include "grid/late_tiles.h"

#include "control/work/late_work.h"
#include "support/catch.h"

#include <QSignalSpy>
#include <QTest>

#include <array>
#include <atomic>
#include <latch>
#include <new>
#include <vector>

using namespace hs;

namespace {

using Tiles = grid::LateTiles::Tiles;

Tiles onePixel()
{
    const float weight = 1;
    return render::TilePyramid::ofMap(&weight, 1);
}

std::shared_ptr<const int> newSource()
{
    return std::make_shared<const int>(0);
}

bool becomesDone(const grid::LateTiles& tiles)
{
    return QTest::qWaitFor([&] { return control::LateWork::isDoneIn(tiles); });
}

}  // namespace

TEST_CASE("tiles are made once, told of, and there from then on")
{
    grid::LateTiles tiles(nullptr);
    QSignalSpy made(&tiles, &grid::LateTiles::made);
    const auto source = newSource();
    std::latch hasBegun(1);
    std::latch mayGoOn(1);
    std::atomic<int> count = 0;
    const auto get = [&] {
        return tiles.get(0, {source, source}, [&] {
            if (++count == 1)
                hasBegun.count_down();
            mayGoOn.wait();
            return onePixel();
        });
    };
    CHECK(get().isComing);
    hasBegun.wait();
    CHECK(get().isComing);
    mayGoOn.count_down();
    REQUIRE(becomesDone(tiles));
    CHECK(get().tiles);
    CHECK_FALSE(get().isComing);
    CHECK(count == 1);
    CHECK(made.count() == 1);
}

TEST_CASE("of a thousand tiles asked for in one place during slow work only the last is made")
{
    grid::LateTiles tiles(nullptr);
    std::latch hasBegun(1);
    std::latch mayGoOn(1);
    std::atomic<int> count = 0;
    const auto slow = newSource();
    tiles.get(0, {slow, slow}, [&] {
        hasBegun.count_down();
        mayGoOn.wait();
        return onePixel();
    });
    hasBegun.wait();
    const auto make = [&] {
        ++count;
        return onePixel();
    };
    std::vector<std::shared_ptr<const int>> sources;
    for (int number = 0; number < 1000; ++number) {
        sources.push_back(newSource());
        CHECK(tiles.get(0, {sources.back(), sources.back()}, make).isComing);
    }
    mayGoOn.count_down();
    REQUIRE(becomesDone(tiles));
    CHECK(count == 1);
    CHECK(tiles.get(0, {sources.back(), sources.back()}, make).tiles);
    CHECK(tiles.get(0, {slow, slow}, make).tiles);
}

TEST_CASE("tiles that cannot be made say why, once, and others are made after them")
{
    grid::LateTiles tiles(nullptr);
    const auto source = newSource();
    const auto fail = []() -> Tiles { throw std::bad_alloc(); };
    CHECK(tiles.get(0, {source, source, 0}, fail).isComing);
    CHECK(tiles.get(1, {source, source, 1}, onePixel).isComing);
    REQUIRE(becomesDone(tiles));
    const grid::LateTiles::Found failed = tiles.get(0, {source, source, 0}, fail);
    CHECK_FALSE(failed.tiles);
    CHECK_FALSE(failed.isComing);
    CHECK_FALSE(failed.problem.isEmpty());
    CHECK(tiles.get(1, {source, source, 1}, onePixel).tiles);
}

TEST_CASE("tiles keep nothing alive that they were made of, and go with it")
{
    grid::LateTiles tiles(nullptr);
    std::array sources = {newSource(), newSource()};
    const auto get = [&] { return tiles.get(0, {sources[0], sources[1]}, onePixel).tiles; };
    for (auto& source : sources) {
        get();
        REQUIRE(becomesDone(tiles));
        const std::weak_ptr<const render::TilePyramid> old = get();
        REQUIRE_FALSE(old.expired());
        const std::weak_ptr<const int> left = source;
        source = newSource();
        CHECK(left.expired());
        get();
        REQUIRE(becomesDone(tiles));
        CHECK(old.expired());
    }
}
