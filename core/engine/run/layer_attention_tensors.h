#pragma once

#include "engine/run/decoder_tensors.h"
#include "engine/run/layer_record_tensors.h"

namespace hs::engine {

/// Whether a run keeps what patching single cells needs.
bool keepsCells(const Capture& capture);

/// The attention of one layer over the request's prompt: heads' outputs after its ablations, and what is kept.
LayerAttention attendLayer(const RunRequest& request, const Decoder& decoder, int layer,
                           const at::Tensor& packed,  // [query, q | k | v], as packedProjections gives them
                           const at::Tensor& tokens,  // [query] int32, on the processor
                           const stats::SummaryRules& rules);

}  // namespace hs::engine
