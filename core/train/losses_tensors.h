#pragma once

#include "train/forward_tensors.h"
#include "train/options.h"

namespace hs::train {

/// What a step minimises and reports. Of a worker's share of a batch, each number is its summand in the number
/// of the whole batch.
struct Losses {
    at::Tensor loss;             // []
    at::Tensor expectedDensity;  // [], undefined without a gate
    at::Tensor density;          // [], undefined without a gate
    at::Tensor crossEntropy;     // [group]
    at::Tensor excess;           // [group] over the dense model, undefined without one
};

/// A batch as both models see it.
struct ComparedRuns {
    const Forward& run;
    at::Tensor wanted;  // [row, vocabulary] the dense model's logits; undefined without one
};

/// The data's cross entropy, or, where `options` has sparsity, the divergence from the dense model and what
/// the open cells cost at `price`, a tensor of one number.
Losses lossesOf(const ComparedRuns& runs, const BatchTensors& batch, const Options& options,
                const at::Tensor& price, Operations operations);

}  // namespace hs::train
