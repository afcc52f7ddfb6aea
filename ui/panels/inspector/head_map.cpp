#include "panels/inspector/head_map.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace hs::panels {
namespace {

std::size_t offsetOf(int query, int tokens)
{
    return static_cast<std::size_t>(query) * static_cast<std::size_t>(tokens);
}

}  // namespace

double HeadMap::at(MapCell cell) const
{
    constexpr double kGround = std::numeric_limits<double>::quiet_NaN();
    const int firstKey = hidesFirstToken ? 1 : 0;
    if (!cells || cell.query < 0 || cell.query >= tokens || cell.key < firstKey || cell.key > cell.query)
        return kGround;
    const float value = cells[static_cast<std::ptrdiff_t>(offsetOf(cell.query, tokens)) + cell.key];
    return std::isfinite(value) ? value : kGround;
}

std::optional<ValueRange> HeadMap::range() const
{
    std::optional<ValueRange> range;
    for (int query = 0; query < tokens; ++query)
        for (int key = 0; key <= query; ++key) {
            const double value = at({query, key});
            if (std::isnan(value))
                continue;
            range = range ? ValueRange{std::min(range->low, value), std::max(range->high, value)}
                          : ValueRange{value, value};
        }
    return range;
}

HeadMap headOfLayer(const engine::LayerMap& layer, int head, int tokens)
{
    if (!layer)
        return {};
    const auto offset = static_cast<std::size_t>(head) * offsetOf(tokens, tokens);
    return {engine::LayerMap(layer, layer.get() + offset), tokens, false};
}

HeadMap difference(const HeadMap& after, const HeadMap& before)
{
    if (!after.cells || !before.cells || after.tokens != before.tokens)
        return {};
    const std::size_t count = offsetOf(after.tokens, after.tokens);
    const std::shared_ptr<float[]> cells(new float[count]);
    std::transform(after.cells.get(), after.cells.get() + count, before.cells.get(), cells.get(),
                   std::minus<>());
    return {cells, after.tokens, after.hidesFirstToken};
}

}  // namespace hs::panels
