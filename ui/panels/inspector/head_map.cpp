#include "panels/inspector/head_map.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace hs::panels {

double HeadMap::at(MapCell cell) const
{
    constexpr double kGround = std::numeric_limits<double>::quiet_NaN();
    if (!cells || !pattern.contains(cell.query, cell.key) || (hidesFirstToken && cell.key == 0))
        return kGround;
    const float value = cells[static_cast<std::ptrdiff_t>(pattern.indexOf(cell.query, cell.key))];
    return std::isfinite(value) ? value : kGround;
}

std::optional<ValueRange> HeadMap::range() const
{
    std::optional<ValueRange> range;
    for (int query = 0; query < pattern.queries; ++query)
        for (int key = 0; key < pattern.keysOf(query); ++key) {
            const double value = at({query, key});
            if (std::isnan(value))
                continue;
            range = range ? ValueRange{std::min(range->low, value), std::max(range->high, value)}
                          : ValueRange{value, value};
        }
    return range;
}

HeadMap headOfLayer(const engine::LayerMap& layer, int head, const stats::PatternShape& pattern)
{
    if (!layer)
        return {};
    const auto offset = static_cast<std::size_t>(head) * pattern.mapSize();
    return {engine::LayerMap(layer, layer.get() + offset), pattern, false};
}

HeadMap atPlaces(const HeadMap& map, const render::TokenPlaces& places)
{
    if (!map.cells)
        return {};
    const stats::PatternShape pattern{static_cast<int>(places.queries.size()),
                                      static_cast<int>(places.keys.size()), map.pattern.isCausal};
    const std::shared_ptr<float[]> cells(new float[pattern.mapSize()]);
    std::fill_n(cells.get(), pattern.mapSize(), std::numeric_limits<float>::quiet_NaN());
    for (int query = 0; query < pattern.queries; ++query)
        for (int key = 0; key < pattern.keysOf(query); ++key) {
            const auto& rows = places.queries[static_cast<std::size_t>(query)];
            const auto& columns = places.keys[static_cast<std::size_t>(key)];
            if (!rows || !columns)
                continue;
            float& cell = cells[static_cast<std::ptrdiff_t>(pattern.indexOf(query, key))];
            for (int row = rows->first; row <= rows->last; ++row)
                for (int column = columns->first; column <= columns->last; ++column)
                    cell = std::fmax(
                        cell, map.pattern.contains(row, column)
                                  ? map.cells[static_cast<std::ptrdiff_t>(map.pattern.indexOf(row, column))]
                                  : 0);
        }
    return {cells, pattern, map.hidesFirstToken};
}

HeadMap difference(const HeadMap& after, const HeadMap& before)
{
    if (!after.cells || !before.cells || after.pattern.queries != before.pattern.queries ||
        after.pattern.keys != before.pattern.keys)
        return {};
    const std::size_t count = after.pattern.mapSize();
    const std::shared_ptr<float[]> cells(new float[count]);
    std::transform(after.cells.get(), after.cells.get() + count, before.cells.get(), cells.get(),
                   std::minus<>());
    return {cells, after.pattern.isCausal ? before.pattern : after.pattern, after.hidesFirstToken};
}

}  // namespace hs::panels
