#include "app/support/commands.h"

#include "app/support/messages.h"
#include "app/training/large_options.h"
#include "app/training/training_arguments.h"
#include "app/training/training_data.h"
#include "app/training/training_run.h"
#include "base/failure.h"
#include "base/text_format.h"
#include "model/architectures.h"
#include "train/output_folder.h"
#include "train/task_tokenizer.h"
#include "train/task_words.h"
#include "train/trainer.h"

#include <memory>

namespace hs::app {
namespace {

struct TrainArguments {
    TrainingArguments training;
    LargeArguments large;
    std::string config;
};

/// The demo's shape.
Json defaultConfig()
{
    return {{"model_type", "gpt2"},
            {"architectures", {"GPT2LMHeadModel"}},
            {"n_layer", 8},
            {"n_head", 8},
            {"n_embd", 192},
            {"n_positions", 64},
            {"activation_function", "gelu_new"},
            {"layer_norm_epsilon", 1e-5},
            {"tie_word_embeddings", true}};
}

/// The tokenizer decides how many tokens there are.
void fitVocabulary(Json& config, std::int64_t vocabulary, std::optional<std::int64_t> bos)
{
    if (!config.is_object())
        fail(ErrorCode::BadFile, "--config does not hold a JSON object; give a Hugging Face config.json.");
    if (const auto given = config.find("vocab_size");
        given != config.end() && given->is_number() && given->get<double>() < static_cast<double>(vocabulary))
        fail(ErrorCode::BadRequest, "vocab_size in --config is " + given->dump() +
                                        ", but the tokenizer has " + formatCount(vocabulary) +
                                        " tokens; leave vocab_size out, or give the tokenizer that belongs "
                                        "to the config.");
    config["vocab_size"] = vocabulary;
    config.erase("bos_token_id");
    config.erase("eos_token_id");
    if (bos)
        config["bos_token_id"] = *bos;
}

void run(const TrainArguments& arguments)
{
    const std::stop_token interrupt = interruptToken();  // before starting threads, which inherit the mask
    const TrainingArguments& given = arguments.training;
    const TrainingPlace place = joinTraining(given);
    train::Job job;
    job.economy = economyOf(arguments.large);
    job.config = arguments.config.empty() ? defaultConfig() : readJsonFile(arguments.config);
    ChosenTokenizer chosen;
    if (given.isOnTasks) {
        chosen.json = train::taskTokenizerJson();
        fitVocabulary(job.config, train::kTaskWordCount, train::kBos);
    } else {
        if (given.tokenizer.empty())
            fail(ErrorCode::BadRequest,
                 "A text is read as tokens; give --tokenizer DIR, a folder with a tokenizer.json.");
        chosen = chooseTokenizer(given.tokenizer);
        fitVocabulary(job.config, chosen.tokenizer->vocabularySize(), startOfText(*chosen.tokenizer));
    }
    job.spec = orThrow(model::readArchSpec(job.config));
    if (job.spec.gateBias)
        fail(ErrorCode::BadRequest, "--config has an attention_gate; train without it, and use headscope "
                                    "sparsify on the model.");

    if (place.worker.isFirst())
        train::OutputFolder::check(given.out, given.resumes);  // before anything slow
    const TrainingPlan plan = given.changed(densePlan(given.kind()), job.spec.context);
    const TrainingData data =
        given.isOnTasks ? taskData(plan) : languageData({given.data, chosen.tokenizer}, job.spec, plan);
    fillJob(job, given, plan, data, chosen, place);
    job.writtenAs = savedType(given.saveAs, model::DType::F16);
    runTraining(job, "Training a new model", data.description, interrupt);
}

}  // namespace

void addTrainCommand(CLI::App& app, Action& action)
{
    auto arguments = std::make_shared<TrainArguments>();
    CLI::App& command = *app.add_subcommand("train", "Train a model from scratch, on tasks or on a text");
    CLI::App& data = *command.add_option_group("data", "What it learns from");
    addTrainingOptions(command, data, arguments->training, densePlan);
    command
        .add_option("--tokenizer", arguments->training.tokenizer,
                    "With --data: a folder with the tokenizer, or a model whose tokenizer it is")
        ->type_name("DIR")
        ->needs(data.get_option("--data"));
    command
        .add_option("--config", arguments->config,
                    "The model's shape as a Hugging Face config.json; by default GPT-2 with 8 layers of 8 "
                    "heads, 192 wide, 64 tokens")
        ->type_name("F");
    addMemoryOptions(command, arguments->large);
    command.callback([arguments, &action] { action = [arguments] { run(*arguments); }; });
}

}  // namespace hs::app
