#include "render/tile_pyramid.h"

#include "support/catch.h"
#include "ui/made_up_run.h"

#include <algorithm>
#include <cstdlib>
#include <random>

using namespace hs;

namespace {

/// A run of random tiles, `side` cells per side for as many tokens.
engine::RunResult randomRun(HeadShape heads, int rows, int columns, unsigned seed)
{
    std::minstd_rand random(seed);
    engine::RunResult run;
    run.heads = heads;
    run.tileRows = rows;
    run.tileColumns = columns;
    run.tokens.assign(static_cast<std::size_t>(rows), 0);
    run.keyTokens.assign(static_cast<std::size_t>(columns), 0);
    run.isCausal = rows == columns;
    const auto cells = static_cast<std::size_t>(heads.heads * rows * columns);
    for (int layer = 0; layer < heads.layers; ++layer) {
        const std::shared_ptr<std::uint8_t[]> tiles(new std::uint8_t[cells]);
        std::generate_n(tiles.get(), cells, [&] { return static_cast<std::uint8_t>(random() % 256); });
        run.tiles.push_back(tiles);
    }
    return run;
}

engine::RunResult randomRun(HeadShape heads, int side, unsigned seed)
{
    return randomRun(std::move(heads), side, side, seed);
}

std::size_t at(int row, int column, int columns)
{
    return static_cast<std::size_t>(row) * static_cast<std::size_t>(columns) +
           static_cast<std::size_t>(column);
}

}  // namespace

TEST_CASE("each cell of a level is the largest of the cells of the run it stands for")
{
    const auto [rows, columns] = GENERATE(table<int, int>(
        {{1, 1}, {2, 2}, {3, 3}, {5, 5}, {8, 8}, {31, 31}, {64, 64}, {7, 19}, {33, 2}, {1, 6}}));
    const engine::RunResult run = randomRun({2, 3, 3}, rows, columns, static_cast<unsigned>(rows));
    const auto pyramid = render::TilePyramid::of(run);
    REQUIRE(pyramid);
    CHECK(pyramid->rows() == rows);
    CHECK(pyramid->columns() == columns);
    CHECK(pyramid->pattern().queries == rows);
    CHECK(pyramid->pattern().keys == columns);
    for (int level = 0; level == 0 || pyramid->rows(level - 1) * pyramid->columns(level - 1) > 1; ++level) {
        const int levelColumns = pyramid->columns(level);
        std::vector<std::uint8_t> expected(at(pyramid->rows(level), 0, levelColumns), 0);
        std::vector<std::uint8_t> column(static_cast<std::size_t>(pyramid->rows(level)), 0);
        const HeadId head{1, 2};
        for (int row = 0; row < rows; ++row)
            for (int key = 0; key < columns; ++key) {
                const std::uint8_t value = run.tileOf(head)[at(row, key, columns)];
                auto& cell = expected[at(row >> level, key >> level, levelColumns)];
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
    CHECK(pyramid->rows(pyramid->levelFor(1)) == 1);
    CHECK(pyramid->rows(pyramid->levelFor(14)) == 25);
    CHECK(pyramid->rows(pyramid->levelFor(13)) == 13);
    CHECK(pyramid->rows(pyramid->levelFor(51)) == 100);
    CHECK(pyramid->rows(pyramid->levelFor(4000)) == 100);
}

TEST_CASE("places that a layer lacks have no weight, and no tile is read for them")
{
    engine::RunResult run = randomRun({2, 3, 3}, 5, 5, 4);
    run.heads.headsIn = {3, 1};
    const std::shared_ptr<std::uint8_t[]> only(new std::uint8_t[25]());  // of the one head of layer 1
    only[24] = 200;
    run.tiles[1] = only;
    const auto pyramid = render::TilePyramid::of(run);
    REQUIRE(pyramid);
    CHECK(pyramid->peak({1, 0}, false) == 200);
    CHECK(pyramid->peak({1, 1}, false) == 0);
    CHECK(pyramid->peak({1, 2}, true) == 0);
}

TEST_CASE("a difference is after minus before, and the larger change wins when pooled")
{
    const engine::RunResult after = randomRun({1, 2, 2}, 9, 5);
    const engine::RunResult before = randomRun({1, 2, 2}, 9, 6);
    const auto pyramid = render::TilePyramid::difference(after, before);
    REQUIRE(pyramid);
    CHECK(pyramid->meaning() == render::TilePyramid::Meaning::Signed);
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
    CHECK(pyramid->pattern().queries == 3);
    CHECK(pyramid->tile({0, 0}, 0)[3] == 128);
    CHECK(pyramid->tile({0, 0}, 0)[8] == 204);
    CHECK_FALSE(render::TilePyramid::ofMap(nullptr, 0));
}

TEST_CASE("a run without tiles has no pyramid")
{
    CHECK_FALSE(render::TilePyramid::of(engine::RunResult()));
}

TEST_CASE(
    "tiles of another quantity give back the largest magnitude of their squares, each head at its own scale")
{
    using Meaning = render::TilePyramid::Meaning;
    const Meaning meaning = GENERATE(Meaning::Positive, Meaning::Signed);
    const int tokens = 13;
    const int side = GENERATE(13, 5);
    const HeadShape heads{2, 3, 3};
    const auto valueAt = [&](HeadId head, int query, int key) {
        const float size = static_cast<float>((query * 7 + key * 3 + head.head) % 11) * (head.layer + 0.5f);
        return meaning == Meaning::Signed && (query + key) % 2 == 1 ? -size : size;
    };
    const auto tiles = render::TilePyramid::of(
        stats::poolMaps(heads, tokens, side, meaning == Meaning::Signed, [&](int layer) {
            std::shared_ptr<float[]> map(new float[3 * 13 * 13]);
            for (int head = 0; head < 3; ++head)
                for (int query = 0; query < tokens; ++query)
                    for (int key = 0; key < tokens; ++key)
                        map[static_cast<std::size_t>((head * tokens + query) * tokens + key)] =
                            key > query ? -std::numeric_limits<float>::infinity()
                                        : valueAt({layer, head}, query, key);
            return engine::LayerMap(map);
        }));
    REQUIRE(tiles);
    CHECK(tiles->meaning() == meaning);
    const auto cellOf = [&](int token) { return ((token + 1) * side - 1) / tokens; };
    for (int index = 0; index < heads.total(); ++index) {
        const HeadId head = heads.at(index);
        for (int row = 0; row < side; ++row)
            for (int column = 0; column <= row; ++column) {
                float largest = 0;
                for (int query = 0; query < tokens; ++query)
                    for (int key = 0; key <= query; ++key)
                        if (cellOf(query) == row && cellOf(key) == column)
                            largest = std::max(largest, std::abs(valueAt(head, query, key)));
                const int byte = tiles->tile(head, 0)[row * side + column];
                const double value = meaning == Meaning::Signed ? (byte - 128) / 127.0 : byte / 255.0;
                REQUIRE(std::abs(value) * tiles->full(head) ==
                        Approx(largest).margin(tiles->full(head) / 100));
            }
        CHECK(tiles->reach(head) == std::lround(255 * tiles->full() / tiles->full(head)));
    }
    // The shared scale reaches from the faint layer into the strong one.
    CHECK(tiles->full() > tiles->full({0, 0}));
    CHECK(tiles->full() <= tiles->full({1, 0}) + 1e-6);
}

TEST_CASE("a third of the heads far beyond the others leave them their colours, and are clipped")
{
    const HeadShape heads{6, 2, 2};
    const auto tilesOf = [&](float extreme, float usual) {
        return render::TilePyramid::of(stats::poolMaps(heads, 1, 1, /*isSigned=*/true, [&](int layer) {
            std::shared_ptr<float[]> map(new float[2]{layer < 2 ? extreme : usual, -usual});
            return engine::LayerMap(map);
        }));
    };
    const auto wild = tilesOf(1000, 3);
    CHECK(wild->full() == 6);
    CHECK(wild->isClipped());
    const auto calm = tilesOf(4, 3);
    CHECK(calm->full() == 4);
    CHECK_FALSE(calm->isClipped());
    CHECK(tilesOf(2, 0)->full() == 2);  // heads without a value do not count
    CHECK(tilesOf(0, 0)->full() == 1);
}

TEST_CASE("runs of as many other tokens are subtracted")
{
    const engine::RunResult after = randomRun({1, 2, 2}, 8, 1);
    engine::RunResult before = randomRun({1, 2, 2}, 8, 2);
    for (std::int64_t& token : before.tokens)
        token += 1;
    CHECK(render::TilePyramid::difference(after, before));
}
