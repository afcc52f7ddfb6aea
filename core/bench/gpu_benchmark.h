#pragma once

#include "base/json.h"
#include "bench/benchmark.h"
#include "bench/device_speed.h"

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace hs::bench {

/// One prompt length: how long a run may take after a change in layer 0, and after one in the middle
/// layer.
struct RunGoal {
    int tokens = 0;
    std::optional<double> fullMs;
    std::optional<double> rerunMs;
};

/// A prompt that has to fit beside the weights.
struct MemoryGoal {
    int tokens = 0;
    double gigabytes = 0;
};

/// A sweep of every head, with the loss of the whole prompt.
struct SweepGoal {
    int tokens = 0;
    int rounds = 1;
    double ms = 0;
};

/// One model and everything that is timed for it.
struct GpuCase {
    std::string name;
    Json config = Json::object();
    model::DType dtype = model::DType::F32;
    std::vector<RunGoal> runs = {};
    std::optional<MemoryGoal> longest = std::nullopt;
    SweepGoal sweep = {};
    std::optional<double> loadGbPerS = std::nullopt;  // from a warm page cache
};

/// GPT-2 small in float32 and OLMo-7B in bfloat16, with the goals for one H200.
std::vector<GpuCase> gpuCases();

struct GpuBenchmarkOptions {
    engine::Device device;
    int rounds = 50;  // each time of a run is the median of this many
    bool withLoading = true;
    bool tf32 = false;
    /// Times of transformers, as tests/bench/hf_baseline.py writes them; may be empty.
    Json baseline = Json::object();
    SpeedProbe probe;
};

/// Receives each measurement as soon as it is known.
using MeasurementNews = std::function<void(const Measurement&)>;

/// Times every case from a changed set of ablated heads until tiles, statistics and predictions are in
/// host memory, and also the device's own speed and the floor that it sets. A part that fails becomes a
/// measurement without a value whose note says why; the others go on.
Result<std::vector<Measurement>> benchmarkGpu(const std::vector<GpuCase>& cases,
                                              const GpuBenchmarkOptions& options, const Hooks& hooks = {},
                                              const MeasurementNews& news = {});

}  // namespace hs::bench
