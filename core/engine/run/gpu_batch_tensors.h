#pragma once

#include "engine/run/decoder_tensors.h"
#include "engine/run/layer_record_tensors.h"
#include "stats/map_totals.h"

#include <memory>
#include <span>
#include <vector>

namespace hs::engine {

/// The attention of prompts side by side on a GPU, which is queued layer after layer; only at the end is it waited for.
class GpuBatch {
public:
    virtual ~GpuBatch() = default;

    /// Heads' outputs go into `z`, [prompt * query, head, head size]; `turned`: [prompt * query, q | k | v].
    virtual void attend(int layer, const at::Tensor& turned, const at::Tensor& z) = 0;

    /// What is kept of the layers of each prompt that has rules. [prompt][layer]
    virtual std::vector<std::vector<LayerRecord>> finish(std::span<const stats::SummaryRules> rules) = 0;
    /// The maps of the prompts that count, added up; they were asked for.
    virtual void takeTotals(stats::MapTotals& totals) = 0;
};

/// Whether its kernels can do what the request asks for.
bool canBatchOnGpu(const RunRequest& request);

/// `tokens`: [prompt, query] int32 on the GPU. Maps are added up over the first `counted` prompts, or brought back where
/// the request asks for them.
std::unique_ptr<GpuBatch> makeGpuBatch(const RunRequest& request, const at::Tensor& tokens,
                                       std::int64_t counted, bool addsUpMaps);

}  // namespace hs::engine
