#pragma once

#include "base/hooks.h"
#include "engine/decoder_tensors.h"
#include "engine/layer_ablation_tensors.h"
#include "engine/layer_record_tensors.h"
#include "engine/run_request.h"

#include <vector>

namespace hs {

/// Cells a side of the tiles that a request gives.
int tileSideOf(const RunRequest& request);

/// The last run, as far as it got: `records` holds its first layers, `residuals` the stream entering
/// each of them and the next one.
class RunMemory {
public:
    /// Brings the first `layers` layers of the request up to date and returns the first that had to
    /// be computed. What a failure or a cancellation leaves behind is a shorter, valid memory.
    int advance(const RunRequest& request, const Decoder& decoder, int layers, const Hooks& hooks);

    const at::Tensor& residual(int layer) const { return m_residuals[layer]; }  // [query, hidden]
    const std::vector<LayerRecord>& records() const { return m_records; }

private:
    int adopt(const RunRequest& request);
    void runLayer(const Decoder& decoder, int layer, const SummaryRules& rules,
                  const at::Tensor& tokens);  // [query] int32
    LayerAttention recordAttention(const Decoder& decoder, int layer, const at::Tensor& packed,
                                   const SummaryRules& rules, LayerAblation& ablation) const;
    bool keepsCells() const;

    RunRequest m_request;
    std::vector<at::Tensor> m_residuals;
    std::vector<LayerRecord> m_records;
};

}  // namespace hs
