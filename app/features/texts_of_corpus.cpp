#include "app/features/texts_of_corpus.h"

#include "app/support/messages.h"
#include "app/support/output.h"
#include "app/training/corpus_text.h"
#include "app/training/training_data.h"
#include "base/failure.h"
#include "base/text_format.h"
#include "features/texts/corpus_texts.h"
#include "features/texts/texts_file.h"
#include "train/task_suite.h"

#include <algorithm>

namespace hs::app {
namespace {

constexpr int kCorpusPassage = 128;  // tokens

features::Corpus textCorpus(const engine::Workspace& workspace, const TextsArguments& arguments)
{
    const CorpusText text = corpusText(workspace, arguments.file, kCorpusPassage, arguments.mostTokens);
    return {text.rows, text.length, text.row};
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
    request.adapters = adaptersOf(workspace, run);
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
