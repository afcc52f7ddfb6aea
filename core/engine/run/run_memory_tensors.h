#pragma once

#include "base/hooks.h"
#include "engine/request/run_request.h"
#include "engine/run/decoder_tensors.h"
#include "engine/run/gpu_layers_tensors.h"
#include "engine/run/layer_ablation_tensors.h"
#include "engine/run/layer_record_tensors.h"

#include <deque>
#include <functional>
#include <vector>

namespace hs::engine {

/// Cells per side of the tiles that a request yields.
int tileSideOf(const RunRequest& request);

/// The last run, as far as it got: `records` holds its first layers, `residuals` the stream entering
/// each of them and the next one.
class RunMemory {
public:
    /// Brings the first `layers` layers of the request up to date and returns the first that had to
    /// be computed. What a failure or a cancellation leaves behind is a shorter, valid memory.
    int advance(const RunRequest& request, const Decoder& decoder, int layers, const Hooks& hooks);

    /// The same without waiting for a GPU: until `settle`, only later work on its stream may use the result.
    /// `onStep` is called whenever there may be more records.
    int queue(const RunRequest& request, const Decoder& decoder, int layers, const Hooks& hooks,
              const std::function<void()>& onStep = {});
    void settle();

    /// The GPU layers that own the last residual, if any: they can go on without `settle`.
    GpuLayers* gpuLayers() const;

    /// Whether the last run had the same model, length and capture, so that its buffers exist.
    bool hasRoomFor(const RunRequest& request) const;

    /// A decoder for the request's prompt, rebuilt only when the prompt or an adapter changes.
    const Decoder& decoderOf(const RunRequest& request);

    const at::Tensor& residual(int layer) const { return m_residuals[layer]; }  // [query, hidden]
    const std::vector<LayerRecord>& records() const { return m_records; }

private:
    int adopt(const RunRequest& request);
    bool needsPatterns() const;
    stats::SummaryRules rules() const;
    GpuLayers* gpuFor(const RunRequest& request);
    bool isTouched(int layer) const;
    int endOfGroup(int layer, int layers) const;
    void queueLayers(const Decoder& decoder, int first, int end);
    void finishQueued(const Decoder& decoder, int layer, const at::Tensor& z, HeadOutputs::Layer& outputs);
    void settleAllBut(std::size_t queued);
    void runLayer(const Decoder& decoder, int layer, const at::Tensor& tokens);  // [query] int32

    /// A prompt, the weights it runs with and what depends on both alone.
    struct Prompt {
        std::shared_ptr<const Model> model;
        std::vector<std::int64_t> tokens;
        AdapterUses adapters;
        Decoder decoder;
    };

    RunRequest m_request;
    stats::RepeatedTokens m_repeats{{}};
    std::optional<Prompt> m_prompt;
    std::vector<at::Tensor> m_residuals;
    std::vector<LayerRecord> m_records;
    std::unique_ptr<GpuLayers> m_gpu;
    /// Layers that have no record yet: what theirs will have besides what the GPU sends.
    std::deque<HeadOutputs::Layer> m_queued;
};

}  // namespace hs::engine
