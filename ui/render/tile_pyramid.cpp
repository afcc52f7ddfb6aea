#include "render/tile_pyramid.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <span>

namespace hs::render {
namespace {

constexpr int kNone = 128;

std::size_t cellsOf(int side)
{
    return static_cast<std::size_t>(side) * static_cast<std::size_t>(side);
}

struct LargerWeight {
    std::uint8_t operator()(std::uint8_t a, std::uint8_t b) const { return std::max(a, b); }
};

struct LargerMagnitude {
    std::uint8_t operator()(std::uint8_t a, std::uint8_t b) const
    {
        return magnitudeKey(a) >= magnitudeKey(b) ? a : b;
    }
};

/// Halves one tile. `from` is [row, column] with `side` cells per side.
template <class Larger>
void halve(const std::uint8_t* from, int side, std::uint8_t* to, Larger larger)
{
    const int half = (side + 1) / 2;
    for (int row = 0; row < half; ++row) {
        const std::uint8_t* first = from + static_cast<std::size_t>(2 * row) * static_cast<std::size_t>(side);
        const std::uint8_t* second = 2 * row + 1 < side ? first + side : first;
        std::uint8_t* line = to + static_cast<std::size_t>(row) * static_cast<std::size_t>(half);
        for (int column = 0; column < side / 2; ++column)
            line[column] = larger(larger(first[2 * column], first[2 * column + 1]),
                                  larger(second[2 * column], second[2 * column + 1]));
        if (side % 2 == 1)
            line[half - 1] = larger(first[side - 1], second[side - 1]);
    }
}

/// The first column of the halved tile after the first column of the larger one was replaced.
template <class Larger>
void halveFirstColumn(const std::uint8_t* from, const std::uint8_t* column, int side, std::uint8_t* to,
                      Larger larger)
{
    const auto inRow = [&](int row) {
        const std::uint8_t first = column[row];
        return side > 1
                   ? larger(first, from[static_cast<std::size_t>(row) * static_cast<std::size_t>(side) + 1])
                   : first;
    };
    for (int row = 0; row < (side + 1) / 2; ++row)
        to[row] = 2 * row + 1 < side ? larger(inRow(2 * row), inRow(2 * row + 1)) : inRow(2 * row);
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
    if (run.tileRows < 1 || run.tiles.size() != static_cast<std::size_t>(run.heads.layers))
        return nullptr;
    const std::shared_ptr<TilePyramid> pyramid(new TilePyramid);
    pyramid->m_heads = run.heads;
    pyramid->m_tokens = static_cast<int>(run.tokens.size());
    pyramid->m_tiles = run.tiles;
    pyramid->m_sides = {run.tileRows};
    pyramid->buildLevels();
    return pyramid;
}

std::shared_ptr<const TilePyramid> TilePyramid::difference(const engine::RunResult& after,
                                                           const engine::RunResult& before)
{
    const bool isMatch = after.heads.hasSameHeads(before.heads) &&
                         after.tokens.size() == before.tokens.size() && after.tileRows == before.tileRows &&
                         after.tiles.size() == before.tiles.size();
    if (!isMatch || after.tileRows < 1 || after.tiles.size() != static_cast<std::size_t>(after.heads.layers))
        return nullptr;
    const std::shared_ptr<TilePyramid> pyramid(new TilePyramid);
    pyramid->m_meaning = Meaning::Signed;
    pyramid->m_heads = after.heads;
    pyramid->m_tokens = static_cast<int>(after.tokens.size());
    pyramid->m_sides = {after.tileRows};
    const std::size_t cells = static_cast<std::size_t>(after.heads.heads) * cellsOf(after.tileRows);
    for (std::size_t layer = 0; layer < after.tiles.size(); ++layer) {
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
    pyramid->m_tokens = maps.tokens;
    pyramid->m_sides = {maps.side};
    pyramid->m_tiles = maps.tiles;
    pyramid->m_fulls = maps.fulls;
    pyramid->m_full = robustFull(maps.fulls);
    pyramid->buildLevels();
    return pyramid;
}

std::shared_ptr<const TilePyramid> TilePyramid::ofMap(const float* map, int tokens, Meaning meaning,
                                                      double full)
{
    if (tokens < 1)
        return nullptr;
    const std::shared_ptr<TilePyramid> pyramid(new TilePyramid);
    pyramid->m_heads = {1, 1, 1};
    pyramid->m_tokens = tokens;
    pyramid->m_sides = {tokens};
    const std::span<const float> values(map, cellsOf(tokens));
    pyramid->m_meaning = meaning;
    pyramid->m_full = full;
    // Weights keep their own scale; anything else is stored at its own for as many shades as there are.
    pyramid->m_fulls = {full == 1 ? 1 : stats::largest(values)};
    const std::shared_ptr<std::uint8_t[]> cells(new std::uint8_t[cellsOf(tokens)]);
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
    m_firstColumns.emplace_back(count * static_cast<std::size_t>(side()),
                                static_cast<std::uint8_t>(isDifference ? kNone : 0));
    while (m_sides.back() > 1) {
        const int from = m_sides.back();
        const int half = (from + 1) / 2;
        const int level = static_cast<int>(m_sides.size()) - 1;
        std::vector<std::uint8_t> cells(count * cellsOf(half));
        std::vector<std::uint8_t> columns(count * static_cast<std::size_t>(half));
        for (std::size_t index = 0; index < count; ++index) {
            const HeadId head = m_heads.at(static_cast<int>(index));
            const std::uint8_t* larger = tile(head, level);
            const std::uint8_t* column = columnWithoutFirst(head, level);
            std::uint8_t* to = cells.data() + index * cellsOf(half);
            std::uint8_t* toColumn = columns.data() + index * static_cast<std::size_t>(half);
            if (isDifference) {
                halve(larger, from, to, LargerMagnitude());
                halveFirstColumn(larger, column, from, toColumn, LargerMagnitude());
            } else {
                halve(larger, from, to, LargerWeight());
                halveFirstColumn(larger, column, from, toColumn, LargerWeight());
            }
        }
        m_sides.push_back(half);
        m_levels.push_back(std::move(cells));
        m_firstColumns.push_back(std::move(columns));
    }
    findPeaks();
}

void TilePyramid::findPeaks()
{
    const int top = static_cast<int>(m_sides.size()) - 1;
    const auto height = [this](std::uint8_t cell) {
        const int magnitude =
            m_meaning == Meaning::Signed ? std::min(255, 2 * std::abs(cell - kNone) + 1) : int{cell};
        return static_cast<std::uint8_t>(m_meaning == Meaning::Signed && cell == kNone ? 0 : magnitude);
    };
    for (int index = 0; index < m_heads.total(); ++index) {
        m_peaks.push_back(height(*tile(m_heads.at(index), top)));
        m_peaksWithoutFirst.push_back(height(*columnWithoutFirst(m_heads.at(index), top)));
    }
}

int TilePyramid::levelFor(int pixels) const
{
    int level = 0;
    while (level + 1 < static_cast<int>(m_sides.size()) && levelSide(level + 1) >= pixels)
        ++level;
    return level;
}

const std::uint8_t* TilePyramid::tile(HeadId head, int level) const
{
    const std::size_t cells = cellsOf(levelSide(level));
    if (level == 0)
        return m_tiles[static_cast<std::size_t>(head.layer)].get() +
               static_cast<std::size_t>(head.head) * cells;
    return m_levels[static_cast<std::size_t>(level)].data() +
           static_cast<std::size_t>(m_heads.indexOf(head)) * cells;
}

const std::uint8_t* TilePyramid::columnWithoutFirst(HeadId head, int level) const
{
    return m_firstColumns[static_cast<std::size_t>(level)].data() +
           static_cast<std::size_t>(m_heads.indexOf(head)) * static_cast<std::size_t>(levelSide(level));
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
