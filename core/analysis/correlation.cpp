#include "analysis/correlation.h"

#include "analysis/head_summary.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace hs {
namespace {

double meanOf(std::span<const float> values)
{
    return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

bool isConstant(std::span<const float> values)
{
    return std::all_of(values.begin(), values.end(), [&](float value) { return value == values.front(); });
}

}  // namespace

double correlation(std::span<const float> first, std::span<const float> second)
{
    if (first.size() != second.size() || first.empty() || isConstant(first) || isConstant(second))
        return std::numeric_limits<double>::quiet_NaN();
    const double firstMean = meanOf(first);
    const double secondMean = meanOf(second);
    double together = 0, firstAlone = 0, secondAlone = 0;
    for (std::size_t cell = 0; cell < first.size(); ++cell) {
        const double a = first[cell] - firstMean;
        const double b = second[cell] - secondMean;
        together += a * b;
        firstAlone += a * a;
        secondAlone += b * b;
    }
    return std::clamp(together / (std::sqrt(firstAlone) * std::sqrt(secondAlone)), -1.0, 1.0);
}

std::vector<float> causalWeights(const float* pattern, int length)
{
    std::vector<float> weights;
    weights.reserve(static_cast<std::size_t>(causalCells(length)));
    for (int query = 0; query < length; ++query) {
        const float* const row = pattern + static_cast<std::size_t>(query) * static_cast<std::size_t>(length);
        weights.insert(weights.end(), row, row + query + 1);
    }
    return weights;
}

}  // namespace hs
