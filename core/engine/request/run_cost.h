#pragma once

#include "model/arch_spec.h"

#include <cstdint>

namespace hs::engine {

/// What a computation needs at the least, however it is done: weights read once, and products.
struct RunCost {
    double bytes = 0;
    double flop = 0;
};

/// A run from layer `first` on, read out at one position. Cells that no query sees do not count.
RunCost costOfRun(const model::ArchSpec& spec, std::uint64_t bytesPerWeight, std::int64_t tokens, int first);

/// A sweep of every head with the loss of the whole prompt: a run, and for each head everything after its
/// layer's attention, with logits at every position.
RunCost costOfSweep(const model::ArchSpec& spec, std::uint64_t bytesPerWeight, std::int64_t tokens);

}  // namespace hs::engine
