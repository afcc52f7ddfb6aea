#pragma once

#include "cuda/attention_patterns.h"
#include "engine/request/run_request.h"
#include "engine/run/layer_record_tensors.h"
#include "model/arch_spec.h"

namespace hs::engine {

/// A layer's attention as the pass over patterns sees it; pointers to its data are left unset.
cuda::PatternProblem patternProblem(const model::ArchSpec& spec, int layer,
                                    const std::optional<ScoreGate>& gate, int length, int tileSide,
                                    double threshold);

/// Whether `poolAttention` works on the device.
bool canPoolAttention(at::Device device);

/// Attention of one layer over one prompt where the patterns themselves are not needed: a single pass
/// that pools tiles and sums statistics as it goes, and never holds the pattern of a whole head. Of the
/// ablations, edits of cells are made, which change weights. Gives the same numbers as `attend` with
/// PatternEdits and a LayerRecorder, up to rounding.
LayerAttention poolAttention(const model::ArchSpec& spec, int layer,
                             const at::Tensor& qkv,     // [query, q | k | v], turned
                             const at::Tensor& tokens,  // [query] int32, on the processor
                             const std::optional<ScoreGate>& gate, const stats::SummaryRules& rules,
                             const Ablations& ablations = {});

}  // namespace hs::engine
