#pragma once

#include "base/hooks.h"
#include "engine/load/model.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace hs::train {

struct SamplerOptions {
    std::int64_t tokens = 1'000'000;  // at least this many in all
    int length = 256;                 // of each document, its first token included
    std::int64_t firstToken = 0;      // each document starts with it
    std::uint64_t seed = 1;
    int documentsAtOnce = 0;  // 0: as many as suit the device
};

/// Documents drawn from the model itself, token by token from its own probabilities, with cached keys and
/// values: data that match what the model knows. [document, position] Throws Failure.
std::vector<std::int32_t> sampleDocuments(const engine::Model& model, const SamplerOptions& options,
                                          const Hooks& hooks = {});

}  // namespace hs::train
