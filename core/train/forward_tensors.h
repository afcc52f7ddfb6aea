#pragma once

#include "engine/run/decoder_tensors.h"
#include "train/batch.h"
#include "train/fused_ops_tensors.h"
#include "train/run_weights_tensors.h"
#include "train/workers/workers_tensors.h"

#include <functional>
#include <optional>

namespace hs::train {

/// How operations are carried out: fused, or by torch one after another with every map of weights in
/// memory, as a reference for the fused ones and for attention that these do not know.
enum class Operations { Fused, Plain };

const engine::DecoderOps& decoderOps(Operations operations);

/// A batch on the device, or a worker's share of it. Means are over the whole batch, so that what the workers
/// get for their shares adds up.
struct BatchTensors {
    at::Tensor tokens;        // [prompt, position] int64
    at::Tensor lengths;       // [prompt] int32
    at::Tensor targets;       // [row] int64, the token that follows; row = prompt * length + position
    at::Tensor weights;       // [prompt, position] float
    at::Tensor members;       // [group, prompt] float, 1 where the prompt is in the group
    at::Tensor groupWeights;  // [group] float, sums of weights in the whole batch
    at::Tensor cells;         // [] float, causal cells of one head in all prompts of the whole batch

    BatchTensors(const Batch& batch, int groups, at::Device device);
    BatchTensors(const Batch& batch, RowRange share, int groups, at::Device device);
    /// Takes the values of another batch of the same shape.
    void copyFrom(const BatchTensors& other);
};

struct Forward {
    at::Tensor logits;    // [row, vocabulary]
    at::Tensor expected;  // [layer, prompt, head] float: sum of gate probabilities; undefined without a gate
    at::Tensor active;    // [layer, prompt, head] float: open cells; undefined without a gate
};

/// Gets what the MLP of a layer reads and what it adds to the stream, and returns what is added in its place:
/// the same, or something else. [row, hidden] all three
using MlpHook = std::function<at::Tensor(int layer, const BatchTensors& batch, const at::Tensor& input,
                                         const at::Tensor& output)>;

/// Runs the decoder over all prompts at once, with gradients to the weights where they are wanted.
/// The gate's `layer` is filled in here. `spec` and what `weights` refers to outlive the gradient.
Forward forward(const model::ArchSpec& spec, const RunWeights& weights, const BatchTensors& batch,
                const engine::DecoderFrame& frame, const std::optional<TrainingGate>& gate,
                Operations operations, const MlpHook& mlp = {});

/// The layers alone, for what the hook gets of them.
void visitMlps(const model::ArchSpec& spec, const RunWeights& weights, const BatchTensors& batch,
               const engine::DecoderFrame& frame, const std::optional<TrainingGate>& gate,
               Operations operations, const MlpHook& mlp);

/// The losses of all rows, by the same operations.
TokenLosses tokenLosses(const at::Tensor& logits, const at::Tensor& teacher, const at::Tensor& targets,
                        Operations operations);

}  // namespace hs::train
