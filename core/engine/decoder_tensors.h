#pragma once

#include "engine/attention_tensors.h"
#include "engine/model.h"
#include "engine/torch.h"
#include "engine/weights_tensors.h"

#include <cstdint>
#include <map>
#include <span>
#include <vector>

namespace hs {

/// The one decoder for all architectures, for one prompt: pure functions of the residual stream,
/// driven by the model's ArchSpec. Holds what all layers share (rotations, masks).
class Decoder {
public:
    Decoder(const Model& model, std::span<const std::int64_t> tokens);

    at::Tensor embed() const;  // [query, hidden]
    Projections project(int layer, const at::Tensor& residual) const;
    const at::Tensor& hiddenCells(int layer) const;  // [query, key] bool

    /// What the attention of a layer adds to the residual, given its heads' outputs z. [query, hidden]
    at::Tensor attentionOutput(int layer, const at::Tensor& z) const;

    /// What the MLP adds, given the residual before and after the attention. [query, hidden]
    at::Tensor mlpOutput(int layer, const at::Tensor& residual, const at::Tensor& middle) const;

    /// The residual after a layer, given its input and its heads' outputs z [query, head, head size].
    at::Tensor finishLayer(int layer, const at::Tensor& residual, const at::Tensor& z) const;

    /// Logits of rows of the last residual, in float32. [row, vocabulary]
    at::Tensor logits(const at::Tensor& rows) const;

    /// How large each head's message from each key would be: the norm of v W_O. [head, key] float
    at::Tensor messageNorms(int layer, const Projections& projections) const;

private:
    at::Tensor weight(int layer, Role role) const;
    at::Tensor weight(Role role) const;
    at::Tensor norm(const at::Tensor& x, const at::Tensor& scale, const at::Tensor& bias) const;
    at::Tensor rmsNorm(const at::Tensor& x, const at::Tensor& scale) const;
    at::Tensor layerNorm(int layer, const at::Tensor& x, Role weightRole, Role biasRole) const;
    at::Tensor rotate(const at::Tensor& heads) const;
    at::Tensor mlp(int layer, const at::Tensor& x) const;

    const ArchSpec& m_spec;
    const ModelWeights& m_weights;
    at::ScalarType m_type;  // of the computation; weights are widened to it as they are used
    at::Tensor m_tokens;    // [query] int64
    at::Tensor m_cos;       // [query, rotaryDims / 2] float
    at::Tensor m_sin;
    std::map<int, at::Tensor> m_hidden;  // window → [query, key] bool
};

}  // namespace hs
