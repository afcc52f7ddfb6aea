#include "render/matched_tiles.h"

#include "support/catch.h"

using namespace hs;
using render::TokenPlaces;
using text::TokenSpan;

namespace {

/// One head over as many tokens, with the numbers of its cells as weights.
engine::RunResult numbered(int tokens)
{
    engine::RunResult run;
    run.heads = {1, 1, 1};
    run.tokens.resize(static_cast<std::size_t>(tokens));
    run.tileRows = run.tileColumns = tokens;
    const std::shared_ptr<std::uint8_t[]> cells(new std::uint8_t[static_cast<std::size_t>(tokens * tokens)]);
    for (int cell = 0; cell < tokens * tokens; ++cell)
        cells[cell] = static_cast<std::uint8_t>(cell + 1);
    run.tiles = {cells};
    return run;
}

std::vector<int> cellsOf(const engine::RunResult& run)
{
    const std::uint8_t* const tile = run.tileOf({0, 0});
    return {tile, tile + run.tileCells()};
}

}  // namespace

TEST_CASE("tiles at their own places are as they were")
{
    const engine::RunResult run = numbered(3);
    const std::vector<std::optional<TokenSpan>> own = {TokenSpan(0), TokenSpan(1), TokenSpan(2)};
    CHECK(cellsOf(render::atPlaces(run, {own, own}, 3, 3)) == cellsOf(run));
}

TEST_CASE("a cell takes the largest of those that stand for it, and nothing where none does")
{
    // 1 2 3
    // 4 5 6
    // 7 8 9
    const std::vector<std::optional<TokenSpan>> queries = {TokenSpan(0, 1), std::nullopt};
    const std::vector<std::optional<TokenSpan>> keys = {TokenSpan(2), TokenSpan(0, 1)};
    const engine::RunResult moved = render::atPlaces(numbered(3), {queries, keys}, 2, 2);
    CHECK(cellsOf(moved) == std::vector<int>{6, 5, 0, 0});
    CHECK(moved.queries() == 2);
}

TEST_CASE("of pooled tiles a cell takes those of all tokens that it pools")
{
    const std::vector<std::optional<TokenSpan>> places = {TokenSpan(3), TokenSpan(0), std::nullopt,
                                                          TokenSpan(1)};
    const engine::RunResult moved = render::atPlaces(numbered(4), {places, places}, 2, 2);
    CHECK(cellsOf(moved) == std::vector<int>{16, 14, 8, 6});  // rows 0-3 and 1 by columns 0-3 and 1
}
