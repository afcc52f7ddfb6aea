#pragma once

#include "engine/run/decoder_tensors.h"
#include "engine/run/layer_record_tensors.h"
#include "stats/head_summary.h"

#include <memory>
#include <span>

namespace hs::engine {

/// Runs a model's layers on a GPU with kernels of our own, where nobody needs the patterns themselves. For
/// prompts of one length all buffers stay where they are, so that layers are recorded as CUDA graphs: several
/// at once, or either half of one, between which others may change the heads' outputs. Work is queued on a
/// stream of its own and tiles travel home beside it; only `take` and `logits` wait. Owned and called by one
/// thread.
class GpuLayers {
public:
    virtual ~GpuLayers() = default;

    virtual bool isOf(const Model& model) const = 0;

    /// While it lives, torch works on the stream of these layers, too.
    virtual std::shared_ptr<void> enter() = 0;

    /// What the layers queued from here on are run for. Another length or tile costs new buffers.
    virtual void begin(const RunRequest& request, const Decoder& decoder) = 0;

    /// The stream entering the first of them, unless it is that of these layers already.
    virtual void setResidual(int layer, const at::Tensor& residual) = 0;
    virtual bool owns(const at::Tensor& residual) const = 0;

    virtual at::Tensor attend(int layer) = 0;  // heads' outputs z [query, head, head size], to be changed
    virtual void finish(int layer) = 0;        // of z as it is by now
    virtual void run(int first, int end) = 0;  // both for each of several layers, where nobody changes z

    virtual at::Tensor residual(int layer) const = 0;  // the stream that enters it [query, hidden]

    /// What is kept of a layer, once it has come home.
    virtual LayerRecord take(int layer, const stats::SummaryRules& rules) = 0;

    virtual void queueLogits(int position) = 0;  // of the stream after the last layer

    /// Those that were queued, and after them the logarithm of the sum of their exponentials. Valid until
    /// the next ones are queued. [token | 1]
    virtual std::span<const float> logits() = 0;
};

/// None where there is no such GPU, or the request asks for what its kernels cannot do.
std::unique_ptr<GpuLayers> makeGpuLayers(const RunRequest& request);

}  // namespace hs::engine
