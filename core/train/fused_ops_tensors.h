#pragma once

#include "engine/device/torch.h"
#include "model/arch_spec.h"

#include <cstdint>
#include <optional>

namespace hs::train {

/// The score gate of one layer in training. Bias and noise are tensors on the device, so that a
/// recorded step can be replayed with other values.
struct TrainingGate {
    bool isSampled = false;  // opens with probability sigmoid(score + bias), not where score + bias > 0
    at::Tensor bias;         // [1] float
    at::Tensor noise;        // [2] int64, its seed and the first prompt's number; read only when sampled
    int layer = 0;           // mixed into the noise
};

struct AttentionForm {
    int heads = 0;
    int kvHeads = 0;
    int headDim = 0;
    int window = 0;    // how many keys back a query may see, itself included; 0 = all
    double scale = 1;  // of the scores
};

struct GatedAttention {
    at::Tensor z;         // [row, head * head size]
    at::Tensor expected;  // [prompt, head] float: sum of sigmoid(score + bias) over the cells; undefined
                          // without a gate
    at::Tensor active;    // [prompt, head] float: open cells, without a gradient; undefined without a gate
};

/// Whether the operation below knows a model's attention: heads that are not too large, no soft cap.
bool canFuseAttention(const model::ArchSpec& spec);

/// Attention of one layer from its packed projections, rotation included, as one operation with its own
/// gradient: kernels on a GPU, their twins on the CPU. No map of weights is ever in memory.
GatedAttention fusedAttention(const at::Tensor& qkv,      // [row, (heads + 2 kvHeads) * head size]
                              const at::Tensor& lengths,  // [prompt] int32; row = prompt * length + query
                              const at::Tensor& cos,      // [length, rotated / 2] float; undefined without
                              const at::Tensor& sin, const AttentionForm& form,
                              const std::optional<TrainingGate>& gate);

struct TokenLosses {
    at::Tensor crossEntropy;  // [row] float, of the targets
    at::Tensor divergence;    // [row] float, KL(teacher || student); undefined without a teacher
};

TokenLosses fusedTokenLosses(const at::Tensor& logits,    // [row, vocabulary]
                             const at::Tensor& teacher,   // [row, vocabulary]; undefined without one
                             const at::Tensor& targets);  // [row] int64

at::Tensor fusedRmsNorm(const at::Tensor& x, const at::Tensor& scale, double eps);  // over the last axis

/// activation(gate) * up of [row, gate | up].
at::Tensor fusedGatedActivation(const at::Tensor& inner, model::Activation activation);

}  // namespace hs::train
