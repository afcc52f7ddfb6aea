#pragma once

#include "base/hooks.h"
#include "base/json.h"
#include "base/result.h"
#include "engine/load/model.h"
#include "train/curve.h"
#include "train/economy.h"
#include "train/held_out.h"
#include "train/options.h"
#include "train/pace.h"
#include "train/training_memory.h"
#include "train/workers/workers.h"

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace hs::train {

class BatchSource;

/// Names that a model card needs besides numbers.
struct CardNames {
    std::string base;        // the dense model
    std::string data;        // what it learnt from
    std::string beginnings;  // how its rows begin
};

/// Everything a training needs to know.
struct Job {
    model::ArchSpec spec;  // of the model that is written, with its gate
    Json config;           // its config.json
    /// To start from, in float, or for an adapter in the type of the computation; none: random weights.
    std::shared_ptr<const engine::Model> start;
    std::string startRecipe;  // says which weights those are
    std::string base;         // where they are, for an adapter that is written by itself
    bool distils = false;     // the start is also the dense model to imitate
    std::shared_ptr<BatchSource> data;
    std::string dataRecipe;  // says what the data are; a checkpoint is only resumed with the same
    int rows = 0;            // of a batch of them
    int length = 0;          // tokens of the longest row
    Options options;
    std::optional<TimeLimit> limit;  // decides the number of steps instead of the options
    Economy economy;
    engine::Device device;
    model::DType computedIn = model::DType::F32;  // bf16 is for GPUs
    model::DType writtenAs = model::DType::F32;
    bool isFused = true;  // with fused operations; torch's are for comparison
    std::filesystem::path out;
    std::filesystem::path tokenizerFolder;  // whose files are copied next to the weights
    std::string tokenizerJson;              // written instead, if not empty
    bool resumes = false;                   // from the checkpoint in `out`
    double checkpointSeconds = 60;          // between checkpoints; 0: each step waits for its own
    std::int64_t keepEvery = 0;             // steps between models that are kept beside `out`'s; 0: none
    CardNames names;                        // for the card of a sparse model
    std::shared_ptr<const Workers> workers = oneWorker();  // all of them train with the same job
};

struct Outcome {
    std::int64_t step = 0;                // of the written weights
    std::int64_t steps = 0;               // made
    std::int64_t planned = 0;             // in all; 0: stopped before that was decided
    bool meetsConstraint = true;          // false: no weights did, and the last were written
    bool wasStopped = false;              // by the user; the state is saved, --resume goes on
    HeldOutMeasure measure;               // of the written weights
    std::optional<HeldOutMeasure> dense;  // of the dense model that was imitated
    std::vector<LengthMeasure> lengths;   // of the written weights on text, by length
    double seconds = 0;
};

/// What the training will take on its device. Throws Failure for an adapter that the model cannot have.
TrainingForecast forecast(const Job& job);

/// Called on the working thread with each new point of the curve.
using CurveListener = std::function<void(const CurvePoint&)>;

/// Trains, with checkpoints, the curve and the models kept on the way in `out`, and writes the model there when done. A stop request
/// saves and ends; whatever happens, only the work since the last checkpoint is lost. Of several workers the first
/// one writes; one who is lost or asked to stop ends all. An error without a message is the first one's to tell.
Result<Outcome> train(const Job& job, const CurveListener& listener, std::stop_token stop);

}  // namespace hs::train
