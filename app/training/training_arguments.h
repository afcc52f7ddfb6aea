#pragma once

#include "base/timing.h"
#include "engine/device/device.h"
#include "train/pace.h"
#include "train/workers/workers.h"

#include <CLI/CLI.hpp>

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace hs::app {

enum class DataKind { Tasks, Text };

/// The settings of a training, besides its model and its data.
struct TrainingPlan {
    train::Options options;
    train::Pace pace;  // what does not simply fit the number of steps
    int rows = 0;      // prompts or documents per step
    int length = 0;    // tokens of the longest row; shorter where the model reads fewer
};

/// Settings that work, for each kind of data.
TrainingPlan densePlan(DataKind kind);
TrainingPlan sparsePlan(DataKind kind);

/// What `train` and `sparsify` share, as the user typed it.
struct TrainingArguments {
    std::string out;
    bool isOnTasks = false;
    std::vector<std::string> data;   // text files
    std::optional<double> millions;  // of tokens that the model writes itself; 0: as many as are needed
    std::string tokenizer;
    std::string device = "auto";
    std::string dtype = "auto";
    std::string saveAs;  // empty: the command's default
    bool isPlain = false;
    bool resumes = false;
    double checkpointSeconds = 60;
    std::int64_t keepEvery = 0;
    std::optional<int> length;
    std::optional<double> minutes;  // instead of a number of steps
    double startedAt = secondsNow();
    std::vector<std::function<void(TrainingPlan&)>> changes;  // to the plan that the data suggest

    DataKind kind() const { return isOnTasks ? DataKind::Tasks : DataKind::Text; }
    /// The plan with the user's changes, fitted to its number of steps, its rows cut to the model's context.
    /// Throws Failure if the user asks for longer ones.
    TrainingPlan changed(TrainingPlan plan, int context) const;
};

/// Where a training runs, in which type it computes, and with whom.
struct TrainingPlace {
    engine::Device device;
    model::DType computedIn = model::DType::F32;
    train::WorkerPlace worker;
    std::shared_ptr<const train::Workers> workers = train::oneWorker();
};

/// bf16 on a GPU and float32 on the CPU unless told otherwise. Throws Failure.
TrainingPlace trainingPlace(const std::string& device, const std::string& dtype);

/// Reads "f16", "bf16" or "f32"; `otherwise` for "".
model::DType savedType(const std::string& text, model::DType otherwise);

/// A number within bounds that only guard against slips; the help does not mention them.
CLI::Validator between(double least, double most);

using PlanFor = TrainingPlan (*)(DataKind);

/// Adds where to write, where and how to compute, and the settings of the plan, whose defaults the help
/// names. `data` is the command's group of data options.
void addTrainingOptions(CLI::App& command, CLI::App& data, TrainingArguments& arguments, PlanFor defaults);
/// --self and --tokenizer, for commands that start from a model. `data` is the group of data options.
void addOwnDataOptions(CLI::App& command, CLI::App& data, TrainingArguments& arguments);
void addSparsityOptions(CLI::App& command, TrainingArguments& arguments);

}  // namespace hs::app
