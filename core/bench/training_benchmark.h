#pragma once

#include "base/hooks.h"
#include "base/result.h"
#include "bench/benchmark.h"
#include "engine/load/model.h"

#include <memory>
#include <vector>

namespace hs::bench {

struct TrainingBenchmark {
    std::shared_ptr<const engine::Model> model;
    int rows = 64;     // documents a step
    int length = 256;  // tokens each
    int rounds = 11;   // each quantity is the median of so many
    model::DType computedIn = model::DType::F32;
};

/// Times one step of sparse post-training of a model, distilling from itself, on random tokens: with
/// our fused operations against torch's own, both in turn within the same rounds.
Result<std::vector<Measurement>> benchmarkTraining(const TrainingBenchmark& options, const Hooks& hooks = {});

}  // namespace hs::bench
