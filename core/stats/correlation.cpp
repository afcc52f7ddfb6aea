#include "stats/correlation.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <numeric>

namespace hs::stats {
namespace {

constexpr std::size_t kBlock = 512;  // cells at a time, so that those of a thousand variables stay in a cache
constexpr std::size_t kLanes = 16;   // independent sums, which a compiler turns into vectors

/// A variable about its mean, in units of its largest deviation; empty where it correlates with nothing.
struct Centred {
    std::span<const float> values;
    double mean = 0;
    double unit = 1;
};

Centred centred(std::span<const float> values, std::size_t length)
{
    const auto isFirst = [&](float value) { return value == values.front(); };
    if (values.size() != length || std::all_of(values.begin(), values.end(), isFirst))
        return {};
    const double sum = std::accumulate(values.begin(), values.end(), 0.0);
    const double mean = sum / static_cast<double>(values.size());
    const auto [least, most] = std::minmax_element(values.begin(), values.end());
    return {values, mean, std::max(*most - mean, mean - *least)};
}

/// Writes some cells of a variable, and zeros up to the end of the block.
void fillBlock(const Centred& variable, std::size_t first, float* block)
{
    const std::size_t end = std::min(variable.values.size(), first + kBlock);
    float* const blockEnd = block + kBlock;
    for (std::size_t cell = first; cell < end; ++cell)
        *block++ = static_cast<float>((variable.values[cell] - variable.mean) / variable.unit);
    std::fill(block, blockEnd, 0.0f);
}

double product(const float* first, const float* second)
{
    float sums[kLanes] = {};
    for (std::size_t cell = 0; cell < kBlock; cell += kLanes)
        for (std::size_t lane = 0; lane < kLanes; ++lane)
            sums[lane] += first[cell + lane] * second[cell + lane];
    return std::accumulate(std::begin(sums), std::end(sums), 0.0);
}

/// Sums over all cells of every two variables' products, on and below the diagonal. [variable, variable]
std::vector<double> productsOf(const std::vector<Centred>& variables, std::size_t length, const Hooks& hooks)
{
    const std::size_t count = variables.size();
    std::vector<double> sums(count * count);
    std::vector<float> blocks(count * kBlock);  // [variable, cell]
    for (std::size_t first = 0; first < length; first += kBlock) {
        hooks.throwIfCancelled();
        for (std::size_t index = 0; index < count; ++index)
            fillBlock(variables[index], first, blocks.data() + index * kBlock);
        for (std::size_t row = 0; row < count; ++row)
            for (std::size_t column = 0; column <= row; ++column)
                sums[row * count + column] +=
                    product(blocks.data() + row * kBlock, blocks.data() + column * kBlock);
    }
    return sums;
}

}  // namespace

std::vector<double> correlations(std::span<const std::span<const float>> variables, const Hooks& hooks)
{
    const std::size_t count = variables.size();
    std::size_t length = 0;
    for (const std::span<const float> values : variables)
        length = std::max(length, values.size());
    std::vector<Centred> about;
    for (const std::span<const float> values : variables)
        about.push_back(centred(values, length));
    std::vector<double> result = productsOf(about, length, hooks);
    std::vector<double> norms;  // of the variables about their means; 0 where there is none
    for (std::size_t index = 0; index < count; ++index)
        norms.push_back(std::sqrt(result[index * count + index]));
    for (std::size_t row = 0; row < count; ++row)
        for (std::size_t column = 0; column <= row; ++column) {
            const double r = result[row * count + column] / (norms[row] * norms[column]);
            result[row * count + column] = result[column * count + row] = std::clamp(r, -1.0, 1.0);
        }
    return result;
}

double correlation(std::span<const float> first, std::span<const float> second)
{
    const std::span<const float> both[] = {first, second};
    return correlations(both)[1];
}

std::vector<float> visibleWeights(const float* pattern, const PatternShape& shape)
{
    std::vector<float> weights;
    weights.reserve(static_cast<std::size_t>(shape.cells()));
    for (int query = 0; query < shape.queries; ++query) {
        const float* const row = pattern + shape.indexOf(query, 0);
        weights.insert(weights.end(), row, row + shape.keysOf(query));
    }
    return weights;
}

}  // namespace hs::stats
