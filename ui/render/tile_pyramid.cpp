#include "render/tile_pyramid.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <span>

namespace hs::render {
namespace {

constexpr int kNone = 128;

struct LargerWeight {
    std::uint8_t operator()(std::uint8_t a, std::uint8_t b) const { return std::max(a, b); }
};

struct LargerMagnitude {
    std::uint8_t operator()(std::uint8_t a, std::uint8_t b) const
    {
        return magnitudeKey(a) >= magnitudeKey(b) ? a : b;
    }
};

/// Halves one tile. `from` is [row, column].
template <class Larger>
void halve(const std::uint8_t* from, int rows, int columns, std::uint8_t* to, Larger larger)
{
    const int half = (columns + 1) / 2;
    for (int row = 0; row < (rows + 1) / 2; ++row) {
        const std::uint8_t* first =
            from + static_cast<std::size_t>(2 * row) * static_cast<std::size_t>(columns);
        const std::uint8_t* second = 2 * row + 1 < rows ? first + columns : first;
        std::uint8_t* line = to + static_cast<std::size_t>(row) * static_cast<std::size_t>(half);
        for (int column = 0; column < columns / 2; ++column)
            line[column] = larger(larger(first[2 * column], first[2 * column + 1]),
                                  larger(second[2 * column], second[2 * column + 1]));
        if (columns % 2 == 1)
            line[half - 1] = larger(first[columns - 1], second[columns - 1]);
    }
}

/// The first column of the halved tile after the first column of the larger one was replaced.
template <class Larger>
void halveFirstColumn(const std::uint8_t* from, const std::uint8_t* column, int rows, int columns,
                      std::uint8_t* to, Larger larger)
{
    const auto inRow = [&](int row) {
        const std::uint8_t first = column[row];
        return columns > 1
                   ? larger(first,
                            from[static_cast<std::size_t>(row) * static_cast<std::size_t>(columns) + 1])
                   : first;
    };
    for (int row = 0; row < (rows + 1) / 2; ++row)
        to[row] = 2 * row + 1 < rows ? larger(inRow(2 * row), inRow(2 * row + 1)) : inRow(2 * row);
}

/// The value of full colour for heads with these peaks. Some heads, in some models those of whole layers, go far
/// beyond all others, which would be left white: they are clipped.
double robustFull(std::vector<double> peaks)
{
    std::erase(peaks, 0.0);
    if (peaks.empty())
        return 1;
    const auto quantile = [&](double share) {
        const auto nth =
            peaks.begin() + static_cast<std::ptrdiff_t>(share * static_cast<double>(peaks.size() - 1));
        std::nth_element(peaks.begin(), nth, peaks.end());
        return *nth;
    };
    return std::min(quantile(0.95), 2 * quantile(0.5));
}

std::uint8_t differenceByte(int after, int before)
{
    const int distance = after - before;
    // Halved away from 0, so that every change shows.
    const int half = std::min(127, (std::abs(distance) + 1) / 2);
    return static_cast<std::uint8_t>(kNone + (distance < 0 ? -half : half));
}

}  // namespace

std::shared_ptr<const TilePyramid> TilePyramid::of(const engine::RunResult& run)
{
    if (run.tileCells() == 0 || run.tiles.size() != static_cast<std::size_t>(run.heads.layers))
        return nullptr;
    const std::shared_ptr<TilePyramid> pyramid(new TilePyramid);
    pyramid->m_heads = run.heads;
    pyramid->m_pattern = run.pattern();
    pyramid->m_tiles = run.tiles;
    pyramid->m_sizes = {{run.tileRows, run.tileColumns}};
    pyramid->buildLevels();
    return pyramid;
}

std::shared_ptr<const TilePyramid> TilePyramid::difference(const engine::RunResult& after,
                                                           const engine::RunResult& before)
{
    const bool isMatch = after.heads.hasSameHeads(before.heads) && after.queries() == before.queries() &&
                         after.keys() == before.keys() && after.tileRows == before.tileRows &&
                         after.tileColumns == before.tileColumns && after.tiles.size() == before.tiles.size();
    if (!isMatch || after.tileCells() == 0 ||
        after.tiles.size() != static_cast<std::size_t>(after.heads.layers))
        return nullptr;
    const std::shared_ptr<TilePyramid> pyramid(new TilePyramid);
    pyramid->m_meaning = Meaning::Signed;
    pyramid->m_heads = after.heads;
    pyramid->m_pattern = {after.queries(), after.keys(), after.isCausal && before.isCausal};
    pyramid->m_sizes = {{after.tileRows, after.tileColumns}};
    for (std::size_t layer = 0; layer < after.tiles.size(); ++layer) {
        const std::size_t cells =
            static_cast<std::size_t>(after.heads.headsOf(static_cast<int>(layer))) * after.tileCells();
        const std::shared_ptr<std::uint8_t[]> tiles(new std::uint8_t[cells]);
        std::transform(after.tiles[layer].get(), after.tiles[layer].get() + cells, before.tiles[layer].get(),
                       tiles.get(), differenceByte);
        pyramid->m_tiles.push_back(tiles);
    }
    pyramid->buildLevels();
    return pyramid;
}

std::shared_ptr<const TilePyramid> TilePyramid::of(const stats::PooledMaps& maps)
{
    const std::shared_ptr<TilePyramid> pyramid(new TilePyramid);
    pyramid->m_meaning = maps.isSigned ? Meaning::Signed : Meaning::Positive;
    pyramid->m_heads = maps.heads;
    pyramid->m_pattern = maps.tokens;
    pyramid->m_sizes = {{maps.side, maps.side}};
    pyramid->m_tiles = maps.tiles;
    pyramid->m_fulls = maps.fulls;
    pyramid->m_full = robustFull(maps.fulls);
    pyramid->buildLevels();
    return pyramid;
}

std::shared_ptr<const TilePyramid> TilePyramid::ofMap(const float* map, const stats::PatternShape& pattern,
                                                      Meaning meaning, double full)
{
    if (pattern.mapSize() == 0)
        return nullptr;
    const std::shared_ptr<TilePyramid> pyramid(new TilePyramid);
    pyramid->m_heads = {1, 1, 1};
    pyramid->m_pattern = pattern;
    pyramid->m_sizes = {{pattern.queries, pattern.keys}};
    const std::span<const float> values(map, pattern.mapSize());
    pyramid->m_meaning = meaning;
    pyramid->m_full = full;
    // Weights keep their own scale; anything else is stored at its own for as many shades as there are.
    pyramid->m_fulls = {full == 1 ? 1 : stats::largest(values)};
    const std::shared_ptr<std::uint8_t[]> cells(new std::uint8_t[pattern.mapSize()]);
    stats::toBytes(values, meaning == Meaning::Signed, pyramid->m_fulls.front(), cells.get());
    pyramid->m_tiles = {cells};
    pyramid->buildLevels();
    return pyramid;
}

void TilePyramid::buildLevels()
{
    const auto count = static_cast<std::size_t>(m_heads.total());
    const bool isDifference = m_meaning == Meaning::Signed;
    m_levels.emplace_back();
    m_firstColumns.emplace_back(count * static_cast<std::size_t>(rows()),
                                static_cast<std::uint8_t>(isDifference ? kNone : 0));
    while (m_sizes.back().cells() > 1) {
        const Size from = m_sizes.back();
        const Size half{(from.rows + 1) / 2, (from.columns + 1) / 2};
        const int level = static_cast<int>(m_sizes.size()) - 1;
        std::vector<std::uint8_t> cells(count * half.cells());
        std::vector<std::uint8_t> columns(count * static_cast<std::size_t>(half.rows));
        for (const HeadId head : m_heads.all()) {
            const auto index = static_cast<std::size_t>(m_heads.indexOf(head));
            const std::uint8_t* larger = tile(head, level);
            const std::uint8_t* column = columnWithoutFirst(head, level);
            std::uint8_t* to = cells.data() + index * half.cells();
            std::uint8_t* toColumn = columns.data() + index * static_cast<std::size_t>(half.rows);
            if (isDifference) {
                halve(larger, from.rows, from.columns, to, LargerMagnitude());
                halveFirstColumn(larger, column, from.rows, from.columns, toColumn, LargerMagnitude());
            } else {
                halve(larger, from.rows, from.columns, to, LargerWeight());
                halveFirstColumn(larger, column, from.rows, from.columns, toColumn, LargerWeight());
            }
        }
        m_sizes.push_back(half);
        m_levels.push_back(std::move(cells));
        m_firstColumns.push_back(std::move(columns));
    }
    findPeaks();
}

void TilePyramid::findPeaks()
{
    const int top = static_cast<int>(m_sizes.size()) - 1;
    const auto height = [this](std::uint8_t cell) {
        const int magnitude =
            m_meaning == Meaning::Signed ? std::min(255, 2 * std::abs(cell - kNone) + 1) : int{cell};
        return static_cast<std::uint8_t>(m_meaning == Meaning::Signed && cell == kNone ? 0 : magnitude);
    };
    m_peaks.resize(static_cast<std::size_t>(m_heads.total()));
    m_peaksWithoutFirst.resize(m_peaks.size());
    for (const HeadId head : m_heads.all()) {
        const auto index = static_cast<std::size_t>(m_heads.indexOf(head));
        m_peaks[index] = height(*tile(head, top));
        m_peaksWithoutFirst[index] = height(*columnWithoutFirst(head, top));
    }
}

int TilePyramid::levelFor(int pixels) const
{
    int level = 0;
    while (level + 1 < static_cast<int>(m_sizes.size()) && rows(level + 1) >= std::min(pixels, rows()) &&
           columns(level + 1) >= std::min(pixels, columns()))
        ++level;
    return level;
}

const std::uint8_t* TilePyramid::tile(HeadId head, int level) const
{
    const std::size_t cells = m_sizes[static_cast<std::size_t>(level)].cells();
    if (level == 0)
        return m_tiles[static_cast<std::size_t>(head.layer)].get() +
               static_cast<std::size_t>(head.head) * cells;
    return m_levels[static_cast<std::size_t>(level)].data() +
           static_cast<std::size_t>(m_heads.indexOf(head)) * cells;
}

const std::uint8_t* TilePyramid::columnWithoutFirst(HeadId head, int level) const
{
    return m_firstColumns[static_cast<std::size_t>(level)].data() +
           static_cast<std::size_t>(m_heads.indexOf(head)) * static_cast<std::size_t>(rows(level));
}

int TilePyramid::reach(HeadId head) const
{
    constexpr double kMost = 1 << 20;  // a head far below the others' scale is white
    const double own = full(head);
    return own > 0 ? static_cast<int>(std::lround(std::min(kMost, 255 * m_full / own))) : 255;
}

int TilePyramid::peak(HeadId head, bool withoutFirst) const
{
    const auto& peaks = withoutFirst ? m_peaksWithoutFirst : m_peaks;
    return peaks[static_cast<std::size_t>(m_heads.indexOf(head))];
}

}  // namespace hs::render
