#include "render/tile_pyramid.h"

#include "support/catch.h"
#include "ui/made_up_run.h"

#include <algorithm>
#include <cstdlib>
#include <random>

using namespace hs;

namespace {

/// A run of random tiles, `side` cells per side for as many tokens.
engine::RunResult randomRun(HeadShape heads, int side, unsigned seed)
{
    std::minstd_rand random(seed);
    engine::RunResult run;
    run.heads = heads;
    run.tileSide = side;
    run.tokens.assign(static_cast<std::size_t>(side), 0);
    const auto cells = static_cast<std::size_t>(heads.heads * side * side);
    for (int layer = 0; layer < heads.layers; ++layer) {
        const std::shared_ptr<std::uint8_t[]> tiles(new std::uint8_t[cells]);
        std::generate_n(tiles.get(), cells, [&] { return static_cast<std::uint8_t>(random() % 256); });
        run.tiles.push_back(tiles);
    }
    return run;
}

std::size_t at(int row, int column, int side)
{
    return static_cast<std::size_t>(row) * static_cast<std::size_t>(side) + static_cast<std::size_t>(column);
}

}  // namespace

TEST_CASE("each cell of a level is the largest of the cells of the run it stands for")
{
    const int side = GENERATE(1, 2, 3, 5, 8, 13, 31, 64);
    const engine::RunResult run = randomRun({2, 3, 3}, side, static_cast<unsigned>(side));
    const auto pyramid = render::TilePyramid::of(run);
    REQUIRE(pyramid);
    CHECK(pyramid->side() == side);
    CHECK(pyramid->tokens() == side);
    for (int level = 0; level == 0 || pyramid->levelSide(level - 1) > 1; ++level) {
        const int levelSide = pyramid->levelSide(level);
        std::vector<std::uint8_t> expected(at(levelSide, 0, levelSide), 0);
        std::vector<std::uint8_t> column(static_cast<std::size_t>(levelSide), 0);
        const HeadId head{1, 2};
        for (int row = 0; row < side; ++row)
            for (int key = 0; key < side; ++key) {
                const std::uint8_t value = run.tileOf(head)[at(row, key, side)];
                auto& cell = expected[at(row >> level, key >> level, levelSide)];
                cell = std::max(cell, value);
                auto& first = column[static_cast<std::size_t>(row >> level)];
                if (key > 0 && key >> level == 0)
                    first = std::max(first, value);
            }
        REQUIRE(std::equal(expected.begin(), expected.end(), pyramid->tile(head, level)));
        REQUIRE(std::equal(column.begin(), column.end(), pyramid->columnWithoutFirst(head, level)));
    }
}

TEST_CASE("the level for a number of pixels is the smallest that has as many cells")
{
    const auto pyramid = render::TilePyramid::of(randomRun({1, 1, 1}, 100, 3));  // 100 50 25 13 7 4 2 1
    CHECK(pyramid->levelSide(pyramid->levelFor(1)) == 1);
    CHECK(pyramid->levelSide(pyramid->levelFor(14)) == 25);
    CHECK(pyramid->levelSide(pyramid->levelFor(13)) == 13);
    CHECK(pyramid->levelSide(pyramid->levelFor(51)) == 100);
    CHECK(pyramid->levelSide(pyramid->levelFor(4000)) == 100);
}

TEST_CASE("a difference is after minus before, and the larger change wins when pooled")
{
    const engine::RunResult after = randomRun({1, 2, 2}, 9, 5);
    const engine::RunResult before = randomRun({1, 2, 2}, 9, 6);
    const auto pyramid = render::TilePyramid::difference(after, before);
    REQUIRE(pyramid);
    CHECK(pyramid->meaning() == render::TilePyramid::Meaning::Difference);
    const HeadId head{0, 1};
    int most = 0;
    for (std::size_t cell = 0; cell < 81; ++cell) {
        const int change = after.tileOf(head)[cell] - before.tileOf(head)[cell];
        const int shown = pyramid->tile(head, 0)[cell] - 128;
        REQUIRE(std::abs(2 * shown - change) <= 2);
        REQUIRE((change == 0) == (shown == 0));
        REQUIRE(shown * change >= 0);
        most = std::max(most, std::abs(shown));
    }
    CHECK(std::abs(*pyramid->tile(head, pyramid->levelFor(1)) - 128) == most);
    CHECK(pyramid->peak(head, false) == std::min(255, 2 * most + 1));
    CHECK(render::TilePyramid::difference(after, after)->peak(head, false) == 0);
    CHECK_FALSE(render::TilePyramid::difference(after, randomRun({1, 2, 2}, 8, 6)));
    CHECK_FALSE(render::TilePyramid::difference(after, randomRun({1, 3, 3}, 9, 6)));
}

TEST_CASE("a head's peak can leave the first key out")
{
    engine::RunResult run = randomRun({1, 1, 1}, 4, 1);
    const std::shared_ptr<std::uint8_t[]> tile(new std::uint8_t[16]{});
    tile[4] = 200;
    tile[9] = 30;
    run.tiles = {tile};
    const auto pyramid = render::TilePyramid::of(run);
    CHECK(pyramid->peak({0, 0}, false) == 200);
    CHECK(pyramid->peak({0, 0}, true) == 30);
}

TEST_CASE("a full map becomes a pyramid of one head")
{
    const std::vector<float> map = {1, 0, 0, 0.5f, 0.5f, 0, 0.2f, 0, 0.8f};
    const auto pyramid = render::TilePyramid::ofMap(map.data(), 3);
    CHECK(pyramid->tokens() == 3);
    CHECK(pyramid->tile({0, 0}, 0)[3] == 128);
    CHECK(pyramid->tile({0, 0}, 0)[8] == 204);
    CHECK_FALSE(render::TilePyramid::ofMap(nullptr, 0));
}

TEST_CASE("a run without tiles has no pyramid")
{
    CHECK_FALSE(render::TilePyramid::of(engine::RunResult()));
}
