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
