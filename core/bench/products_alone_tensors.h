#pragma once

#include "engine/device/device_tensors.h"
#include "engine/load/model.h"
#include "engine/load/weights_tensors.h"

namespace hs::bench {

/// The products of one run, or of several prompts side by side, and nothing else: projections, scores, weighted
/// values, MLPs and the last positions' logits, with the model's own weights.
class ProductsAlone {
public:
    ProductsAlone(const engine::Model& model, std::int64_t tokens, bool tf32, std::int64_t prompts = 1)
        : m_spec(model.spec()), m_weights(model.weights()), m_isTf32(tf32), m_prompts(prompts)
    {
        const at::TensorOptions options = m_weights[model::Role::Embedding].options();
        m_hidden = at::randn({prompts * tokens, m_spec.hidden}, options);
        m_inner = at::randn({prompts * tokens, m_spec.intermediate}, options);
        m_heads = at::randn({prompts * m_spec.heads, tokens, m_spec.headDim}, options);
        m_pattern = at::randn({prompts * m_spec.heads, tokens, tokens}, options);
    }

    void run() const
    {
        const engine::Tf32Scope precision(m_isTf32);
        const c10::InferenceMode noGradients;
        for (int layer = 0; layer < m_spec.layers; ++layer) {
            at::linear(m_hidden, m_weights.at(layer, model::Role::QkvWeight));
            at::bmm(m_heads, m_heads.transpose(1, 2));
            at::bmm(m_pattern, m_heads);
            at::linear(m_hidden, m_weights.at(layer, model::Role::OutWeight));
            at::linear(m_hidden, m_weights.at(layer, model::Role::UpWeight));
            at::linear(m_inner, m_weights.at(layer, model::Role::DownWeight));
        }
        const at::Tensor last =
            at::linear(m_hidden.narrow(0, 0, m_prompts), m_weights[model::Role::Unembedding]);
        last.max().item<float>();  // reading a value waits for the GPU
    }

private:
    const model::ArchSpec& m_spec;
    const engine::ModelWeights& m_weights;
    bool m_isTf32;
    std::int64_t m_prompts;
    at::Tensor m_hidden;   // [query, hidden]
    at::Tensor m_inner;    // [query, intermediate]
    at::Tensor m_heads;    // [head, query, head size]
    at::Tensor m_pattern;  // [head, query, key]
};

}  // namespace hs::bench
