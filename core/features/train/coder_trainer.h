#pragma once

#include "base/result.h"
#include "engine/load/model.h"
#include "features/train/coder_curve.h"
#include "features/train/coder_options.h"
#include "train/batch.h"
#include "train/options.h"
#include "train/pace.h"

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>

namespace hs::features {

/// Everything a training of transcoders needs to know.
struct CoderJob {
    std::shared_ptr<const engine::Model> model;  // whose MLPs are imitated, in the type of the computation
    std::string modelRecipe;                     // says which weights those are
    CoderOptions coders;
    std::shared_ptr<train::BatchSource> data;
    std::string dataRecipe;  // says what the data are; a checkpoint is only resumed with the same
    std::string dataInWords;
    train::Options options;
    std::optional<train::TimeLimit> limit;  // decides the number of steps instead of the options
    engine::Device device;
    model::DType writtenAs = model::DType::F32;  // encoders and decoders
    bool isFused = true;                         // the model runs with fused operations
    std::filesystem::path out;
    bool resumes = false;           // from the checkpoint in `out`
    double checkpointSeconds = 60;  // between checkpoints; 0: each step waits for its own
};

struct CoderOutcome {
    std::int64_t steps = 0;    // made
    std::int64_t planned = 0;  // in all; 0: stopped before that was decided
    std::int64_t tokens = 0;   // trained on, about: as many in each step as in the last
    bool wasStopped = false;   // by the user; the state is saved, --resume goes on
    CoderMeasure measure;      // of what was written
    double seconds = 0;
};

/// Numbers that are trained, and the bytes that they take on the device with their gradient and moments.
std::int64_t coderParameterCount(const model::ArchSpec& spec, const CoderOptions& options);
std::uint64_t coderBytes(const model::ArchSpec& spec, const CoderOptions& options);

/// Before anything slow: throws Failure for counts that cannot be, and where there is too little memory.
void requireCoders(const engine::Model& model, const CoderOptions& options, engine::Device device);

/// Called on the working thread with each new point of the curve.
using CoderListener = std::function<void(const CoderPoint&)>;

/// Trains transcoders of all layers, with checkpoints and the curve in `out`, and writes them there when done, in
/// circuit-tracer's layout. A stop request saves and ends.
Result<CoderOutcome> trainCoders(const CoderJob& job, const CoderListener& listener, std::stop_token stop);

}  // namespace hs::features
