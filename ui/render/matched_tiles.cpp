#include "render/matched_tiles.h"

#include <algorithm>

namespace hs::render {
namespace {

/// Neighbouring cells of a tile along an axis; empty unless first <= last.
struct CellRange {
    int first = 0;
    int last = -1;
};

/// The cells of `count` that the tokens in each of the new cells come from.
std::vector<CellRange> sourcesOf(const std::vector<std::optional<text::TokenSpan>>& places, int cells,
                                 int tokens, int count)
{
    std::vector<CellRange> sources(static_cast<std::size_t>(cells));
    const int all = static_cast<int>(places.size());
    for (int token = 0; token < all; ++token) {
        const auto& place = places[static_cast<std::size_t>(token)];
        if (!place)
            continue;
        CellRange& source = sources[static_cast<std::size_t>(stats::tileCellOf(token, all, cells))];
        const int first = stats::tileCellOf(place->first, tokens, count);
        const int last = stats::tileCellOf(place->last, tokens, count);
        source = source.last < source.first
                     ? CellRange{first, last}
                     : CellRange{std::min(source.first, first), std::max(source.last, last)};
    }
    return sources;
}

}  // namespace

engine::RunResult atPlaces(const engine::RunResult& run, const TokenPlaces& places, int rows, int columns)
{
    engine::RunResult moved;
    moved.heads = run.heads;
    moved.isCausal = run.isCausal;
    moved.tokens.resize(places.queries.size());
    moved.keyTokens.resize(places.keys.size());
    moved.tileRows = rows;
    moved.tileColumns = columns;
    const std::vector<CellRange> fromRows = sourcesOf(places.queries, rows, run.queries(), run.tileRows);
    const std::vector<CellRange> fromColumns = sourcesOf(places.keys, columns, run.keys(), run.tileColumns);
    for (int layer = 0; layer < run.heads.layers; ++layer) {
        const auto heads = static_cast<std::size_t>(run.heads.headsOf(layer));
        const std::shared_ptr<std::uint8_t[]> tiles(new std::uint8_t[heads * moved.tileCells()]());
        std::uint8_t* to = tiles.get();
        for (int head = 0; head < run.heads.headsOf(layer); ++head) {
            const std::uint8_t* const tile = run.tileOf({layer, head});
            for (const CellRange& row : fromRows)
                for (const CellRange& column : fromColumns) {
                    for (int from = row.first; from <= row.last; ++from)
                        for (int cell = column.first; cell <= column.last; ++cell)
                            *to = std::max(*to, tile[from * run.tileColumns + cell]);
                    ++to;
                }
        }
        moved.tiles.push_back(tiles);
    }
    return moved;
}

}  // namespace hs::render
