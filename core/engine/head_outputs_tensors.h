#pragma once

#include "engine/torch.h"

#include <vector>

namespace hs {

/// Every head's output z in one run, as it entered the output projections: what a Replace ablation
/// of another run is fed from. Immutable.
class HeadOutputs {
public:
    explicit HeadOutputs(std::vector<at::Tensor> layers) : m_layers(std::move(layers)) {}

    int layerCount() const { return static_cast<int>(m_layers.size()); }
    const at::Tensor& layer(int index) const { return m_layers[index]; }  // [query, head, head size]

private:
    std::vector<at::Tensor> m_layers;
};

}  // namespace hs
