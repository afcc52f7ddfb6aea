#pragma once

#include "cuda/attention_patterns.h"
#include "engine/request/run_request.h"
#include "engine/run/layer_record_tensors.h"
#include "model/arch_spec.h"

namespace hs::engine {

/// A layer's attention as the pass over patterns sees it; where its numbers lie is left open.
cuda::PatternProblem patternProblem(const model::ArchSpec& spec, int layer,
                                    const std::optional<ScoreGate>& gate, int length, int tileSide,
                                    double threshold);

/// Whether `poolAttention` can be asked where the model is.
bool canPoolAttention(at::Device device);

/// Attention of one layer over one prompt where nobody needs the patterns themselves: a single pass
/// that pools tiles and sums statistics as it goes, and never holds the pattern of a whole head. What
/// it gives are the numbers of `attend` with a LayerRecorder, up to rounding.
LayerAttention poolAttention(const model::ArchSpec& spec, int layer,
                             const at::Tensor& qkv,     // [query, q | k | v], turned
                             const at::Tensor& tokens,  // [query] int32, on the processor
                             const std::optional<ScoreGate>& gate, const stats::SummaryRules& rules);

}  // namespace hs::engine
