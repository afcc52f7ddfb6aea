#include "app/features/texts_of_corpus.h"

#include "app/support/messages.h"
#include "app/support/output.h"
#include "app/training/training_data.h"
#include "base/failure.h"
#include "base/text_format.h"
#include "features/texts/corpus_texts.h"
#include "features/texts/texts_file.h"
#include "train/task_suite.h"
#include "train/text_rows.h"

#include <algorithm>

namespace hs::app {
namespace {

constexpr int kCorpusPassage = 128;  // tokens

features::Corpus textCorpus(const engine::Workspace& workspace, const TextsArguments& arguments)
{
    if (!workspace.tokenizer)
        fail(ErrorCode::NotFound, "This model's folder has no tokenizer; put its tokenizer.json there.");
    ProgressLine progress("Tokenising");
    const auto tokens = std::make_shared<const std::vector<std::int32_t>>(
        train::encodeTextFile(arguments.file, *workspace.tokenizer, {progress.callback(), interruptToken()}));
    const std::optional<std::int64_t> first = startOfText(*workspace.tokenizer);
    const int length = std::min(kCorpusPassage, workspace.model->spec().context);
    const std::int64_t taken = length - (first ? 1 : 0);
    const std::int64_t count = std::min(static_cast<std::int64_t>(tokens->size()), arguments.mostTokens);
    return {(count + taken - 1) / taken, length, [=](std::int64_t number) {
                std::vector<std::int64_t> prompt;
                if (first)
                    prompt.push_back(*first);
                const auto begin = tokens->begin() + number * taken;
                prompt.insert(prompt.end(), begin, begin + std::min(taken, count - number * taken));
                return prompt;
            }};
}

features::Corpus taskCorpus(const engine::Workspace& workspace, const TextsArguments& arguments)
{
    requireTaskWords(workspace.tokenizer.get(), workspace.model->facts().name);
    return {std::max<std::int64_t>(1, arguments.mostTokens / train::kLongestPrompt), train::kLongestPrompt,
            [](std::int64_t number) {
                return train::TaskSuite()
                    .prompt(static_cast<train::Task>(number % train::kTaskCount), train::Split::Training,
                            static_cast<std::uint64_t>(number / train::kTaskCount))
                    .tokens;
            }};
}

}  // namespace

void addTextsOptions(CLI::App& command, TextsArguments& arguments)
{
    auto* const file =
        command
            .add_option("--texts", arguments.file,
                        "A text to read: writes what each feature fires on and promotes to texts.json beside "
                        "the transcoders")
            ->type_name("F");
    command.add_flag("--tasks", arguments.hasTasks, "The same with the built-in tasks")->excludes(file);
    command.add_option("--most-tokens", arguments.mostTokens, "How much of it is read")
        ->check(CLI::PositiveNumber)
        ->capture_default_str();
    command.add_option("--examples", arguments.examples, "Places that are kept for each feature")
        ->check(CLI::Range(1, 64))
        ->capture_default_str();
}

void writeTexts(const engine::Workspace& workspace, const std::filesystem::path& folder,
                const RunArguments& run, const TextsArguments& arguments)
{
    const std::string file = (folder / features::kTextsFile).string();
    requireWritable(file);
    features::TextsRequest request;
    request.model = workspace.model;
    request.coders = orThrow(features::openTranscoders(folder, workspace.model->spec()));
    request.tokenizer = workspace.tokenizer;
    request.gate = engine::chooseGate(run.gateOver(), workspace.model->spec().gateBias);
    request.corpus = arguments.hasTasks ? taskCorpus(workspace, arguments) : textCorpus(workspace, arguments);
    request.examples = arguments.examples;
    ProgressLine progress("Reading");
    const features::CorpusTexts made =
        orThrow(features::makeTexts(request, {progress.callback(), interruptToken()}));
    const std::string json = features::textsJson(made.texts, made.tokens);
    writeOutput(file, json);
    say("Read " + formatCount(made.tokens) + " tokens; " +
        formatCount(static_cast<std::int64_t>(made.texts.size())) + " features fire. Wrote " + file + ", " +
        formatBytes(json.size()) + ".");
}

}  // namespace hs::app
