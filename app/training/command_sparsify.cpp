#include "app/support/commands.h"

#include "app/support/messages.h"
#include "app/training/large_options.h"
#include "app/training/training_arguments.h"
#include "app/training/training_data.h"
#include "app/training/training_run.h"
#include "base/failure.h"
#include "engine/load/model_loader.h"
#include "model/checkpoint.h"
#include "model/fingerprint.h"
#include "model/model_locator.h"
#include "train/output_folder.h"
#include "train/trainer.h"

#include <memory>

namespace hs::app {
namespace {

namespace fs = std::filesystem;

struct SparsifyArguments {
    TrainingArguments training;
    LargeArguments large;
    std::string model;
};

void checkFiles(const model::ModelFiles& files, const std::string& out)
{
    if (files.config.empty() && files.format != model::ModelFiles::Format::Gguf)
        fail(ErrorCode::Unsupported, model::titleOf(files) +
                                         " has no config.json, which the sparse model would need; "
                                         "give a Hugging Face folder.");
    std::error_code isNew;
    if (fs::equivalent(files.folder, out, isNew) && !isNew)
        fail(ErrorCode::BadRequest,
             "--out is the folder of the dense model, which would be overwritten; choose another --out.");
}

/// The type of the file's largest tensor if it is a half type, else float32. Packed weights are not written
/// again, and float32 keeps what they stood for.
model::DType typeOf(const model::ModelFiles& files)
{
    if (files.format != model::ModelFiles::Format::Safetensors)
        return model::DType::F32;
    const model::SafetensorsCheckpoint checkpoint = model::SafetensorsCheckpoint::open(files);
    const model::TensorInfo* largest = nullptr;
    for (const std::string_view name : checkpoint.names()) {
        const model::TensorInfo* const tensor = checkpoint.find(name);
        if (!largest || tensor->bytes > largest->bytes)
            largest = tensor;
    }
    const bool isHalf =
        largest && (largest->dtype == model::DType::F16 || largest->dtype == model::DType::BF16);
    return isHalf ? largest->dtype : model::DType::F32;
}

void run(const SparsifyArguments& arguments)
{
    const std::stop_token interrupt = interruptToken();  // before starting threads, which inherit the mask
    const TrainingArguments& given = arguments.training;
    const TrainingPlace place = joinTraining(given);
    const model::ModelFiles files = orThrow(model::locateModel(arguments.model));
    checkFiles(files, given.out);
    if (place.worker.isFirst())
        train::OutputFolder::check(given.out, given.resumes);  // before anything slow
    train::Job job;
    job.config = model::configOf(files);
    const ChosenTokenizer chosen = tokenizerFor(given.tokenizer, files);

    job.economy = economyOf(arguments.large);
    if (job.economy.writesAdapter)
        job.base = baseOf(arguments.model, files);
    ProgressLine progress("Loading");
    // An adapter's base is used as it is; all other weights are trained in float.
    const model::DType loadedAs = job.economy.adapter ? place.computedIn : model::DType::F32;
    job.start = orThrow(engine::loadModel(files, {place.device, loadedAs}, {progress.callback(), interrupt}));
    if (job.start->spec().gateBias)
        fail(ErrorCode::BadRequest, job.start->facts().name +
                                        " is sparse already: its config.json has an attention_gate; give "
                                        "the dense model that it was made from.");
    job.startRecipe = model::fingerprintOf(files);
    job.distils = true;
    job.spec = job.start->spec();
    job.spec.gateBias = 0;

    const TrainingPlan plan = given.changed(sparsePlan(given.kind()), job.spec.context);
    if (plan.options.sparsity->divergenceWeight == 0 && plan.options.sparsity->crossEntropyWeight == 0)
        fail(ErrorCode::BadRequest,
             "With --kl 0 and --ce 0 the model would forget everything; raise one of them.");
    // Before anything is drawn from the model, which takes minutes.
    const int rows = (plan.rows + place.worker.count - 1) / place.worker.count;
    train::requireTrainingMemory(
        job.spec, {rows, plan.length, true, place.computedIn, !given.isPlain, job.economy}, place.device);
    const TrainingData data = modelData(given, job.start, chosen, plan, place.computedIn);
    fillJob(job, given, plan, data, chosen, place);
    job.names.base = fs::exists(arguments.model) ? job.start->facts().name : arguments.model;
    job.writtenAs = savedType(given.saveAs, typeOf(files));
    runTraining(job, "Making " + job.start->facts().name + " sparse", data.description, interrupt);
}

}  // namespace

void addSparsifyCommand(CLI::App& app, Action& action)
{
    auto arguments = std::make_shared<SparsifyArguments>();
    CLI::App& command =
        *app.add_subcommand("sparsify", "Post-train a model so that few edges of its attention are left");
    command
        .add_option("--model", arguments->model,
                    "The dense model: a Hugging Face folder, a GGUF file, org/name in the download cache or "
                    "demo:dense")
        ->required()
        ->type_name("DIR");
    CLI::App& data = *command.add_option_group("data", "What it learns from");
    addTrainingOptions(command, data, arguments->training, sparsePlan);
    addOwnDataOptions(command, data, arguments->training);
    addSparsityOptions(command, arguments->training);
    addAdapterOptions(command, arguments->large);
    addMemoryOptions(command, arguments->large);
    command.callback([arguments, &action] { action = [arguments] { run(*arguments); }; });
}

}  // namespace hs::app
