#include "stats/pooled_maps.h"

#include <algorithm>
#include <cmath>

namespace hs::stats {
namespace {

constexpr int kZero = 128;  // of signed bytes

std::size_t cellsOf(int side)
{
    return static_cast<std::size_t>(side) * static_cast<std::size_t>(side);
}

/// The value of the largest magnitude in each square of a map; 0 where there is none. [row, column]
std::vector<float> pooled(const float* map, int tokens, int side)
{
    std::vector<float> cells(cellsOf(side), 0.0f);
    const auto cellOf = [&](int token) {
        return static_cast<std::size_t>((std::int64_t{token} + 1) * side - 1) /
               static_cast<std::size_t>(tokens);
    };
    for (int query = 0; query < tokens; ++query)
        for (int key = 0; key <= query; ++key) {
            const float value = map[static_cast<std::size_t>(query) * static_cast<std::size_t>(tokens) +
                                    static_cast<std::size_t>(key)];
            float& cell = cells[cellOf(query) * static_cast<std::size_t>(side) + cellOf(key)];
            if (std::isfinite(value) && std::abs(value) > std::abs(cell))
                cell = value;
        }
    return cells;
}

}  // namespace

PooledMaps poolMaps(const HeadShape& heads, int tokens, int side, bool isSigned,
                    const std::function<std::shared_ptr<const float[]>(int layer)>& map)
{
    PooledMaps result{heads, tokens, side, isSigned, {}, {}};
    const auto count = static_cast<std::size_t>(heads.heads);
    for (int layer = 0; layer < heads.layers; ++layer) {
        const std::shared_ptr<const float[]> maps = map(layer);
        const std::shared_ptr<std::uint8_t[]> tiles(new std::uint8_t[count * cellsOf(side)]);
        for (std::size_t head = 0; head < count; ++head) {
            const std::vector<float> cells = pooled(maps.get() + head * cellsOf(tokens), tokens, side);
            result.fulls.push_back(largest(cells));
            toBytes(cells, isSigned, result.fulls.back(), tiles.get() + head * cellsOf(side));
        }
        result.tiles.push_back(tiles);
    }
    return result;
}

void toBytes(std::span<const float> values, bool isSigned, double full, std::uint8_t* cells)
{
    const float scale = full > 0 ? static_cast<float>((isSigned ? 127 : 255) / full) : 0;
    std::ranges::transform(values, cells, [=](float value) {
        const float byte = std::isfinite(value) ? value * scale : 0;
        return static_cast<std::uint8_t>(isSigned ? kZero + std::lround(std::clamp(byte, -127.0f, 127.0f))
                                                  : std::lround(std::clamp(byte, 0.0f, 255.0f)));
    });
}

double largest(std::span<const float> values)
{
    double most = 0;
    for (const float value : values)
        if (std::isfinite(value))
            most = std::max(most, static_cast<double>(std::abs(value)));
    return most;
}

}  // namespace hs::stats
