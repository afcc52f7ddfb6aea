#pragma once

#include "engine/device/torch.h"
#include "engine/request/run_request.h"

#include <functional>
#include <optional>

namespace hs::engine {

/// A layer's projections, rotated and normed, ready for scores. Queries are already scaled, and may be
/// those of the last positions only. With several prompts, their heads come one after another.
struct Projections {
    at::Tensor queries;  // [head, query, head size]
    at::Tensor keys;     // [key/value head, key, head size]
    at::Tensor values;   // [key/value head, key, head size]
    std::optional<double> scoreCap;
};

/// x brought softly within ±cap: cap * tanh(x / cap).
inline at::Tensor softCapped(const at::Tensor& x, double cap)
{
    return at::tanh(x / cap) * cap;
}

/// The patterns of some heads of one layer, in float32 on the model's device.
struct PatternChunk {
    int firstHead = 0;
    at::Tensor scores;   // [head, query, key] scaled and capped; -inf where a query may not look
    at::Tensor weights;  // [head, query, key] effective: softmax, times the gate
    at::Tensor open;     // [head, query, key] bool, the gate; undefined without one
};

/// Sees patterns before they weigh values, and may change their weights.
using PatternSink = std::function<void(PatternChunk&)>;

/// Attention of one layer: hands the patterns to `sink`, if any, a portion of the heads at a time, and
/// returns the heads' outputs z. [prompt * query, head, head size] The gate acts on the scores that the
/// softmax sees, after a soft cap; with a bias of 0 that is the same as before it.
at::Tensor attend(const Projections& layer,
                  const at::Tensor& hidden,  // [query, key] bool, true = may not look
                  const std::optional<ScoreGate>& gate, const PatternSink& sink, std::int64_t prompts = 1);

}  // namespace hs::engine
