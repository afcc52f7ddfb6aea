#pragma once

#include "engine/run/decoder_tensors.h"

namespace hs::engine {

/// The attention of one layer of a run, as its ablations leave it; of the same run several times over if the decoder
/// has its prompt several times.
struct LayerHeads {
    Projections projections;
    at::Tensor z;  // [prompt * query, head, head size]
};

/// Computes it from the residual that enters the layer; `sink`, if any, gets the patterns.
LayerHeads layerHeads(const Decoder& decoder, const RunRequest& run, int layer, const at::Tensor& residual,
                      const PatternSink& sink = {});

/// The residual after a layer, on the next one's device, with what the run writes. `more`, if any, sees what the MLP
/// writes once the run has changed it.
at::Tensor layerResult(const Decoder& decoder, const RunRequest& run, int layer, const at::Tensor& residual,
                       const at::Tensor& z, const MlpChange& more = {});

/// What the MLP of a layer adds at a position of a run, with what the run writes there. [hidden]
at::Tensor mlpRow(const Decoder& decoder, const RunRequest& run, int layer, const at::Tensor& residual,
                  const at::Tensor& z, std::int64_t position);

}  // namespace hs::engine
