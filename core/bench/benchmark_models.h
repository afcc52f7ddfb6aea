#pragma once

#include "base/hooks.h"
#include "base/json.h"
#include "engine/load/model_loader.h"
#include "engine/request/run_request.h"

#include <cstdint>
#include <memory>
#include <string_view>

namespace hs::bench {

/// Models to measure, as config.json describes them; their weights are random.
Json gpt2SmallConfig();
Json olmo7bConfig();
Json llama8bConfig();
Json smolLm2Config();

/// A run over that many varied tokens, without the loss.
engine::RunRequest benchmarkRequest(std::shared_ptr<const engine::Model> model, int tokens);

/// What loading a model from a warm page cache took.
struct LoadTimes {
    double milliseconds = 0;
    std::uint64_t weightBytes = 0;
    std::uint64_t peakBytes = 0;  // peak resident memory meanwhile
};

/// Makes such a model's file in a temporary folder and loads it twice, so that the second time, which
/// counts, finds it in memory. The file takes no disk space: its weights are zeros that were never
/// written. Throws Failure, also when memory is short.
LoadTimes timeLoading(const Json& config, model::DType inFile, const engine::LoadOptions& place,
                      const Hooks& hooks);

/// A run, and opening another step of a training and running that.
struct TrainingStepTimes {
    double run = 0;   // milliseconds
    double step = 0;  // likewise
};

/// Goes to and fro between two such models in temporary folders, both in the page cache. Throws Failure.
TrainingStepTimes timeTrainingStep(const Json& config, model::DType inFile, const engine::LoadOptions& place,
                                   int tokens, int rounds, const Hooks& hooks);

/// Bytes a second of a GGUF file whose weights are all of one type ("Q4_K"), unpacked to float32 from a warm
/// page cache. Throws Failure.
double ggufBytesPerSecond(std::string_view type);

}  // namespace hs::bench
