#include "features/graph/influence_tensors.h"

#include <algorithm>
#include <map>

namespace hs::features {

at::Tensor sharesOf(const at::Tensor& rows)
{
    const at::Tensor sizes = rows.abs();
    return sizes / sizes.sum(1, /*keepdim=*/true).clamp_min_(1e-10);
}

at::Tensor influenceOf(const at::Tensor& shares, const std::vector<RowTarget>& targets)
{
    std::map<int, std::vector<std::int64_t>, std::greater<>> byLayer;  // the last layer first
    for (std::size_t row = 0; row < targets.size(); ++row)
        byLayer[targets[row].layer].push_back(static_cast<std::int64_t>(row));
    at::Tensor influence = at::zeros({shares.size(1)}, at::kDouble);
    double* const known = influence.data_ptr<double>();
    for (const auto& [layer, rows] : byLayer) {
        std::vector<double> weights;
        for (const std::int64_t row : rows) {
            const RowTarget& target = targets[static_cast<std::size_t>(row)];
            weights.push_back(target.weight + (target.column < 0 ? 0 : known[target.column]));
        }
        const at::Tensor group = shares.index_select(0, at::tensor(rows).to(shares.device())).to(at::kCPU);
        influence.add_(at::mv(group.t().to(at::kDouble), at::tensor(weights, at::kDouble)));
    }
    return influence;
}

}  // namespace hs::features
