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
    int rows = 64;     // documents per step
    int length = 256;  // tokens each
    int rounds = 11;   // each quantity is the median of this many
    model::DType computedIn = model::DType::F32;
};

/// Times one step of sparse post-training of a model, distilling from itself, on random tokens: the fused
/// operations against torch's own, interleaved within the same rounds.
Result<std::vector<Measurement>> benchmarkTraining(const TrainingBenchmark& options, const Hooks& hooks = {});

/// Times how fast the model writes documents of its own, as many side by side as suit the device, against
/// the least time that reading weights and cache, or multiplying, would take.
Result<std::vector<Measurement>> benchmarkSampling(const TrainingBenchmark& options, const Hooks& hooks = {});

}  // namespace hs::bench
