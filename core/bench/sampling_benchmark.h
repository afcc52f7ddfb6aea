#pragma once

#include "bench/training_benchmark.h"

namespace hs::bench {

/// Times how fast the model writes documents of its own, as many side by side as suit the device, against
/// the least time that reading weights and cache, or multiplying, would take.
Result<std::vector<Measurement>> benchmarkSampling(const TrainingBenchmark& options, const Hooks& hooks = {});

}  // namespace hs::bench
