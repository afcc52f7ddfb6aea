#include "app/support/commands.h"

#include "app/features/transcode_output.h"
#include "app/support/messages.h"
#include "app/training/training_arguments.h"
#include "app/training/training_data.h"
#include "app/training/training_output.h"
#include "base/failure.h"
#include "base/text_format.h"
#include "engine/load/model_loader.h"
#include "features/train/coder_trainer.h"
#include "model/fingerprint.h"
#include "model/model_locator.h"
#include "train/output_folder.h"

#include <memory>
#include <optional>

namespace hs::app {
namespace {

struct TranscodeArguments {
    TrainingArguments training;
    std::string model;
    std::optional<int> features;
    std::optional<int> k;
    bool crossesLayers = false;
    bool isTopK = false;
};

TrainingPlan coderPlan(DataKind kind)
{
    TrainingPlan plan;
    plan.options.rate = 1e-3;
    plan.options.held = 0.8;
    plan.options.decay = 0;
    plan.options.beta2 = 0.999;
    plan.pace.looks = 8;
    if (kind == DataKind::Tasks) {
        plan.options.steps = 3000;
        plan.rows = 256;
        plan.length = 64;
    } else {
        plan.options.steps = 5000;
        plan.rows = 16;
        plan.length = 256;
    }
    return plan;
}

features::CoderOptions codersOf(const TranscodeArguments& arguments, const model::ArchSpec& spec)
{
    const bool isOnTasks = arguments.training.isOnTasks;
    features::CoderOptions options;
    options.features = arguments.features.value_or((isOnTasks ? 4 : 16) * spec.hidden);
    options.k = arguments.k.value_or(isOnTasks ? 8 : 32);
    options.crossesLayers = arguments.crossesLayers;
    options.firing = arguments.isTopK ? features::Firing::TopK : features::Firing::JumpRelu;
    return options;
}

std::string firstLineOf(const features::CoderJob& job)
{
    const model::ArchSpec& spec = job.model->spec();
    return "Training transcoders of " + job.model->facts().name + " (" + std::to_string(spec.layers) +
           " layers of " + formatCount(job.coders.features) + " features, of which " +
           formatCount(job.coders.k) + " fire" + (job.coders.crossesLayers ? ", across layers" : "") + "; " +
           formatCount(features::coderParameterCount(spec, job.coders)) + " weights, about " +
           formatBytes(features::coderBytes(spec, job.coders)) + " of memory) on " + job.dataInWords + "; " +
           (job.limit ? shortNumber(job.limit->minutes) + (job.limit->minutes == 1 ? " minute" : " minutes")
                      : formatCount(job.options.steps) + " steps") +
           " on " + engine::describe(job.device) + ".";
}

void run(const TranscodeArguments& arguments)
{
    const std::stop_token interrupt = interruptToken();  // before starting threads, which inherit the mask
    const TrainingArguments& given = arguments.training;
    const TrainingPlace place = trainingPlace(given.device, given.dtype);
    train::OutputFolder::check(given.out, given.resumes);  // before anything slow
    const model::ModelFiles files = orThrow(model::locateModel(arguments.model));
    const ChosenTokenizer chosen = tokenizerFor(given.tokenizer, files);
    features::CoderJob job;
    {
        ProgressLine progress("Loading");
        job.model = orThrow(
            engine::loadModel(files, {place.device, place.computedIn}, {progress.callback(), interrupt}));
    }
    job.modelRecipe = model::fingerprintOf(files);
    job.coders = codersOf(arguments, job.model->spec());
    features::requireCoders(*job.model, job.coders, place.device);
    const TrainingPlan plan = given.changed(coderPlan(given.kind()), job.model->spec().context);
    const TrainingData data = modelData(given, job.model, chosen, plan, place.computedIn);
    job.data = data.source;
    job.dataRecipe = data.recipe;
    job.dataInWords = data.description;
    job.options = plan.options;
    if (given.minutes)
        job.limit = {*given.minutes, secondsNow() - given.startedAt, plan.pace};
    job.device = place.device;
    job.writtenAs = savedType(given.saveAs, model::DType::F32);
    job.isFused = !given.isPlain;
    job.out = given.out;
    job.resumes = given.resumes;
    job.checkpointSeconds = given.checkpointSeconds;

    if (const auto warning = engine::slowBlasWarning(); warning && !job.device.isCuda())
        say(*warning);
    narrate(firstLineOf(job));
    TrainingProgress progress;
    const features::CoderOutcome outcome = orThrow(features::trainCoders(
        job,
        [&](const features::CoderPoint& point) {
            std::vector<std::string> below = point.notes;
            if (point.heldOut)
                below.insert(below.begin(), describeCoderMeasure(*point.heldOut));
            progress.show(describeCoderPoint(point), below);
        },
        interrupt));
    progress.wipe();
    if (outcome.wasStopped)
        fail(ErrorCode::Cancelled, "Stopped after step " + formatCount(outcome.steps) +
                                       (outcome.planned > 0 ? " of " + formatCount(outcome.planned) : "") +
                                       " and saved in " + given.out +
                                       "; the same command with --resume goes on.");
    narrate(describeCoderOutcome(outcome, given.out));
}

}  // namespace

void addTranscodeCommand(CLI::App& app, Action& action)
{
    auto arguments = std::make_shared<TranscodeArguments>();
    CLI::App& command =
        *app.add_subcommand("transcode", "Train transcoders of a model: features that stand for its MLPs");
    command
        .add_option("--model", arguments->model,
                    "The model: a Hugging Face folder, a GGUF file, org/name in the download cache, "
                    "demo:dense or demo:sparse")
        ->required()
        ->type_name("DIR");
    CLI::App& data = *command.add_option_group("data", "What they learn from");
    addTrainingOptions(command, data, arguments->training, coderPlan);
    addOwnDataOptions(command, data, arguments->training);
    command.add_flag("--cross-layer", arguments->crossesLayers,
                     "Features write into the MLP outputs of all layers from theirs on");
    command
        .add_option("--features", arguments->features,
                    "Features of each layer [4 times the model's width for tasks, 16 times for text]")
        ->check(between(1, 1e7))
        ->type_name("N");
    command
        .add_option("--target-l0", arguments->k,
                    "Features of a layer that fire at a position, on average [8 for tasks, 32 for text]")
        ->check(between(1, 1e6))
        ->type_name("K");
    command.add_flag("--top-k", arguments->isTopK,
                     "Exactly so many fire at each position, instead of those above a threshold");
    command.footer("While it runs: unexplained is the share of the variance of what MLPs add to the stream\n"
                   "that the features leave over, dead are features that have not fired for long. The\n"
                   "held-out part is never learnt from; its loss is that of the model with what the\n"
                   "features write in place of what its MLPs add. Ctrl-C saves and stops, --resume goes on.");
    command.callback([arguments, &action] { action = [arguments] { run(*arguments); }; });
}

}  // namespace hs::app
