#include "app/training/training_data.h"

#include "app/support/messages.h"
#include "app/support/workspace.h"
#include "base/failure.h"
#include "base/mapped_file.h"
#include "base/text_format.h"
#include "model/model_locator.h"
#include "train/model_pairs.h"
#include "train/sampler.h"
#include "train/task_batches.h"
#include "train/text_batches.h"

#include <cmath>
#include <cstdio>

namespace hs::app {
namespace {

/// Sixteen hex digits that change when any token does.
std::string fingerprintOf(const std::vector<std::int32_t>& tokens)
{
    std::uint64_t hash = 0xcbf29ce484222325;
    for (const std::int32_t token : tokens)
        hash = (hash ^ static_cast<std::uint32_t>(token)) * 0x100000001b3;
    char text[17];
    std::snprintf(text, sizeof text, "%016llx", static_cast<unsigned long long>(hash));
    return text;
}

std::string rowsRecipe(const TrainingPlan& plan)
{
    return std::to_string(plan.rows) + " rows of " + std::to_string(plan.length);
}

TrainingData streamData(std::vector<std::int32_t> tokens, const train::TextBatchOptions& options,
                        const TrainingPlan& plan)
{
    TrainingData data;
    data.recipe = "tokens " + fingerprintOf(tokens) + ", " + rowsRecipe(plan) +
                  (options.bos ? ", after " + std::to_string(*options.bos) : "");
    data.description = formatCount(static_cast<std::int64_t>(tokens.size())) + " tokens, " +
                       formatCount(plan.rows) + " rows of " + formatCount(plan.length) + " a step";
    data.source = std::make_shared<train::TextBatches>(
        std::make_shared<const std::vector<std::int32_t>>(std::move(tokens)), options);
    return data;
}

train::TextBatchOptions optionsFor(const TrainingPlan& plan, std::int64_t vocabulary)
{
    train::TextBatchOptions options;
    options.rows = plan.rows;
    options.length = plan.length;
    options.vocabulary = vocabulary;
    options.seed = plan.options.seed;
    return options;
}

/// The token that the tokenizer puts before a prompt: training rows begin with it, too.
std::optional<std::int64_t> tokenBeforePrompts(const text::Tokenizer& tokenizer)
{
    const std::vector<std::int64_t> bare = orThrow(tokenizer.encode("a", /*addSpecial=*/false)).ids;
    const std::vector<std::int64_t> whole = orThrow(tokenizer.encode("a")).ids;
    if (whole.size() <= bare.size() || (!bare.empty() && whole.front() == bare.front()))
        return std::nullopt;
    return whole.front();
}

}  // namespace

ChosenTokenizer chooseTokenizer(const std::string& where)
{
    const std::filesystem::path path = where;
    const Result<model::ModelFiles> files = model::locateModel(where);
    if (!std::filesystem::exists(path) || (files && files->format == model::ModelFiles::Format::Gguf))
        return tokenizerOf(orThrow(files));
    ChosenTokenizer chosen;
    chosen.tokenizer = openTokenizer(where);
    if (std::filesystem::is_directory(path))
        chosen.folder = path;
    else if (path.filename() == "vocab.json" || path.filename() == "merges.txt")
        chosen.folder = path.parent_path();
    else
        chosen.json = MappedFile::open(path).text();
    return chosen;
}

ChosenTokenizer tokenizerOf(const model::ModelFiles& files)
{
    engine::ModelTokenizer loaded = requireTokenizer(files);
    ChosenTokenizer chosen;
    chosen.tokenizer = std::move(loaded.tokenizer);
    if (loaded.json.is_null())
        chosen.folder = files.tokenizerFolder;
    else
        chosen.json = loaded.json.dump();
    return chosen;
}

std::optional<std::int64_t> startOfText(const text::Tokenizer& tokenizer)
{
    const std::optional<std::int64_t> before = tokenBeforePrompts(tokenizer);
    return before ? before : tokenizer.bosId();
}

TrainingData taskData(const TrainingPlan& plan)
{
    train::TaskBatchOptions options;
    options.rows = plan.rows;
    options.seed = plan.options.seed;
    options.context = plan.length;
    return {std::make_shared<train::TaskBatches>(options), "tasks, " + rowsRecipe(plan),
            "the built-in tasks, " + formatCount(plan.rows) + " prompts a step"};
}

TrainingData textData(const std::string& file, const text::Tokenizer& tokenizer, std::int64_t vocabulary,
                      const TrainingPlan& plan)
{
    train::TextBatchOptions options = optionsFor(plan, vocabulary);
    options.bos = tokenBeforePrompts(tokenizer);
    options.name = file;
    ProgressLine progress("Kilobyte");
    TrainingData data = streamData(
        train::encodeTextFile(file, tokenizer, {progress.callback(), interruptToken()}), options, plan);
    data.description = file + ": " + data.description;
    return data;
}

TrainingData ownData(const engine::Model& model, double millions, std::int64_t firstToken,
                     const TrainingPlan& plan)
{
    train::TextBatchOptions options = optionsFor(plan, model.spec().vocabulary);
    options.form = train::TextForm::Documents;
    options.name = "The sample";
    train::SamplerOptions sampling;
    sampling.tokens = std::llround(millions * 1e6);
    sampling.length = plan.length;
    sampling.firstToken = firstToken;
    sampling.seed = plan.options.seed;
    ProgressLine progress("Document");
    TrainingData data = streamData(
        train::sampleDocuments(model, sampling, {progress.callback(), interruptToken()}), options, plan);
    data.description = "what it writes itself: " + data.description;
    return data;
}

void requireTaskWords(const text::Tokenizer* tokenizer, const std::string& name)
{
    if (!tokenizer || !train::knowsTaskWords(*tokenizer))
        fail(ErrorCode::BadRequest, name + " was not made for the built-in tasks: its tokenizer does not "
                                           "have their words; give a model of headscope train --tasks.");
}

}  // namespace hs::app
