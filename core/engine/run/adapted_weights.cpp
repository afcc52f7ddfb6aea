#include "engine/run/adapted_weights_tensors.h"

#include "engine/load/adapter.h"
#include "engine/run/row_product_tensors.h"

#include <algorithm>

namespace hs::engine {

AdaptedWeights::AdaptedWeights(const AdaptedModel& model) : m_base(&model.baseWeights())
{
    std::shared_ptr<AdapterWeights> added;
    for (const auto& [adapter, strength] : model.adapters()) {
        if (strength == 0)
            continue;
        if (!added) {
            added = std::make_shared<AdapterWeights>();
            added->layers.resize(model.spec().layers);
        }
        for (int layer = 0; layer < model.spec().layers; ++layer)
            for (int role = 0; role < model::kRoleCount; ++role)
                for (LowRankChange change : adapter->weights().layers[layer][role]) {
                    change.scale *= strength;
                    added->layers[layer][role].push_back(std::move(change));
                }
    }
    m_added = std::move(added);
}

at::Tensor AdaptedWeights::at(int layer, model::Role role) const
{
    const at::Tensor& weight = m_base->at(layer, role);
    if (!m_added || m_added->at(layer, role).empty())
        return weight;
    at::Tensor sum = weight.to(at::kFloat, /*non_blocking=*/false, /*copy=*/true);
    for (const LowRankChange& change : m_added->at(layer, role))
        sum.narrow(0, change.row, change.up.size(0)).add_(at::mm(change.up, change.down), change.scale);
    return sum;
}

void AdaptedWeights::addTo(const at::Tensor& y, const at::Tensor& x, int layer, model::Role role,
                           std::int64_t first) const
{
    if (!m_added)
        return;
    for (const auto& [row, scale, down, up] : m_added->at(layer, role)) {
        const std::int64_t begin = std::max(row, first);
        const std::int64_t count = std::min(row + up.size(0), first + y.size(1)) - begin;
        if (count <= 0)
            continue;
        const at::Tensor inner = product(x, down.to(x.scalar_type()));
        y.narrow(1, begin - first, count)
            .add_(product(inner, up.narrow(0, begin - row, count).to(x.scalar_type())), scale);
    }
}

}  // namespace hs::engine
