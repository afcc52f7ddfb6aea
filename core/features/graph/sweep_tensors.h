#pragma once

#include "features/graph/held_run_tensors.h"

namespace hs::features {

/// Where the stream is read.
struct Spot {
    int layer = 0;  // the number of layers: the last stream
    int position = 0;
    bool isAfterAttention = false;  // else what enters the layer

    int depth() const { return 2 * layer + (isAfterAttention ? 1 : 0); }
};

/// Linear readings of the stream of a held run, the latest first.
struct Readings {
    std::vector<Spot> spots;  // of descending depth
    at::Tensor directions;    // [reading, width]
    at::Tensor constants;     // [reading] what is read of no stream

    std::int64_t size() const { return static_cast<std::int64_t>(spots.size()); }
};

/// Gets the cotangents of readings on their way back: how much each reading changes with the stream. Tensors
/// are [reading, query, width], readings being the first of all that come so late, queries those up to the
/// last that any of them reads; they change once the call returns.
class CotangentVisitor {
public:
    virtual ~CotangentVisitor() = default;
    virtual void atOutput(int, const at::Tensor&) {}        // on what the MLP adds
    virtual void afterAttention(int, const at::Tensor&) {}  // on the stream there
    virtual void pastHeads(int, const at::Tensor&) {}       // on what enters the layer, but for the heads
    virtual void entering(int, const at::Tensor&) {}        // on what enters the layer
};

enum class Paths { All, PastHeads };

/// Carries readings back to the embedding, last layer to first.
void sweepBack(const HeldRun& run, const Readings& readings, Paths paths, CotangentVisitor& visitor);

/// Vectors added to the stream of a held run. [query, width]
struct Entries {
    at::Tensor embedding;
    std::vector<at::Tensor> attention;  // [layer] with the heads' writes
    std::vector<at::Tensor> output;     // [layer] with the MLP's
};

/// What they make of the stream.
struct Carried {
    std::vector<at::Tensor> entering;        // [layer], and the last stream
    std::vector<at::Tensor> afterAttention;  // [layer]

    const at::Tensor& at(const Spot& spot) const
    {
        const auto layer = static_cast<std::size_t>(spot.layer);
        return spot.isAfterAttention ? afterAttention[layer] : entering[layer];
    }
};

Carried carryForward(const HeldRun& run, const Entries& entries, Paths paths);

}  // namespace hs::features
