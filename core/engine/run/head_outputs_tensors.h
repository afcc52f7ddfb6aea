#pragma once

#include "engine/device/torch.h"
#include "engine/request/run_request.h"

#include <algorithm>
#include <vector>

namespace hs::engine {

/// Every head's output z in one run, as it entered the output projections, and what every MLP wrote: the source of a
/// Replace ablation in another run. With `headCells` also what the cells of each pattern brought to it.
/// Immutable.
class HeadOutputs {
public:
    struct Layer {
        at::Tensor z;        // [query, head, head size]
        at::Tensor weights;  // [head, query, key] float, the gate applied; undefined without cells
        at::Tensor values;   // [key/value head, key, head size]; undefined without cells
        at::Tensor mlp;      // [query, hidden] of the layer's MLP; undefined where only heads are looked up
    };

    HeadOutputs(RunRequest run, std::vector<Layer> layers)
        : m_run(std::move(run)), m_layers(std::move(layers))
    {
    }

    const RunRequest& run() const { return m_run; }
    int layerCount() const { return static_cast<int>(m_layers.size()); }
    const at::Tensor& z(int layer) const { return m_layers[layer].z; }
    const at::Tensor& weights(int layer) const { return m_layers[layer].weights; }
    const at::Tensor& values(int layer) const { return m_layers[layer].values; }
    const at::Tensor& mlp(int layer) const { return m_layers[layer].mlp; }

    /// The output of a head or an MLP. [query, head size or hidden]
    at::Tensor outputOf(HeadId unit) const
    {
        return unit.isMlp() ? mlp(unit.layer) : z(unit.layer).select(1, unit.head);
    }

    /// Whether the head's output is the sum over its cells: they were kept, and it is not ablated.
    bool hasCells(HeadId head) const
    {
        return m_layers[head.layer].weights.defined() && !m_run.ablations.contains(head);
    }

    /// The first position at which another run, equal to this one in all but its tokens, may differ from
    /// it; 0 for any other run.
    std::int64_t firstDifference(const RunRequest& other) const
    {
        if (other.model != m_run.model || other.gate != m_run.gate || other.tf32 != m_run.tf32 ||
            other.adapters != m_run.adapters || other.ablations != m_run.ablations ||
            isWrittenDifferently(other))
            return 0;
        const auto [mine, theirs] = std::ranges::mismatch(m_run.tokens, other.tokens);
        return mine - m_run.tokens.begin();
    }

private:
    bool isWrittenDifferently(const RunRequest& other) const
    {
        return engine::firstDifference(m_run.writes, other.writes, layerCount()) < layerCount();
    }

    RunRequest m_run;
    std::vector<Layer> m_layers;
};

}  // namespace hs::engine
