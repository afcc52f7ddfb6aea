#pragma once

#include "engine/run/decoder_tensors.h"
#include "engine/run/layer_record_tensors.h"
#include "stats/head_summary.h"

#include <memory>
#include <span>

namespace hs::engine {

/// Runs a model's layers on a GPU with custom kernels, where the patterns themselves are not needed. For
/// prompts of one length all buffers stay in place, so that layers are recorded as CUDA graphs: several at
/// once, or either half of one, between which the caller may change the heads' outputs. The request's edits of cells
/// are read from the device, so that others need no other recording. Work is queued on its own stream while tiles are
/// copied to the host on another; only `take`, `wait`, `logits` and `losses` wait.
/// Owned and called by one thread.
class GpuLayers {
public:
    virtual ~GpuLayers() = default;

    virtual bool isOf(const Model& model) const = 0;

    /// While the result lives, torch works on the stream of these layers, too.
    virtual std::shared_ptr<void> enter() = 0;

    /// Sets the request that layers queued from here on run for. Another length or tile size costs new
    /// buffers.
    virtual void begin(const RunRequest& request, const Decoder& decoder) = 0;

    /// Sets the residual entering the first of them, copying it unless these layers own it already.
    virtual void setResidual(int layer, const at::Tensor& residual) = 0;
    virtual bool owns(const at::Tensor& residual) const = 0;

    virtual at::Tensor
    attend(int layer) = 0;  // its edits made; heads' outputs z [query, head, head size], to be changed
    virtual void finish(int layer) = 0;        // with z as it is by now
    virtual void run(int first, int end) = 0;  // both for several layers whose z nobody changes

    virtual at::Tensor residual(int layer) const = 0;  // the stream that enters it [query, hidden]

    /// Waits until the layer's summary is on the host, and returns it.
    virtual LayerRecord take(int layer, const stats::SummaryRules& rules) = 0;

    /// Waits for everything that was queued, by torch on their stream, too.
    virtual void wait() = 0;

    virtual void queueLogits(int position) = 0;  // of the stream after the last layer
    virtual void queueLosses() = 0;              // of the same, at every position but the last

    /// The queued logits, followed by the logarithm of the sum of their exponentials. Valid until the next
    /// ones are queued. [token | 1]
    virtual std::span<const float> logits() = 0;

    /// The queued losses, of the token after each position. Valid until the next ones are queued. [query - 1]
    virtual std::span<const float> losses() = 0;
};

/// Null if there is no such GPU, or its kernels cannot do what the request asks for.
std::unique_ptr<GpuLayers> makeGpuLayers(const RunRequest& request);

}  // namespace hs::engine
