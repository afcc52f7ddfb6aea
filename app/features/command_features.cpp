#include "app/support/commands.h"

#include "app/features/scaled_effects_output.h"
#include "app/features/texts_of_corpus.h"
#include "app/support/messages.h"
#include "app/support/output.h"
#include "app/support/text_table.h"
#include "app/support/workspace.h"
#include "base/failure.h"
#include "base/text_format.h"
#include "features/graph/place_choice.h"

#include <algorithm>
#include <cstdio>
#include <memory>

namespace hs::app {
namespace {

constexpr std::size_t kPassage = 512;    // tokens that are run at once
constexpr std::size_t kMostRead = 2048;  // tokens of a text

struct FeaturesArguments {
    engine::ModelArguments model;
    PromptArguments prompt;
    RunArguments run;
    std::string json;
    TextsArguments texts;
    EffectTarget effect;
};

/// A long text in passages that each begin as it does, if that is with the model's first token.
std::vector<engine::RunRequest> passagesOf(const engine::RunRequest& whole)
{
    const model::ArchSpec& spec = whole.model->spec();
    const std::vector<std::int64_t>& tokens = whole.tokens;
    const bool hasFirst = !tokens.empty() && spec.bosToken && tokens.front() == *spec.bosToken;
    const std::size_t length = std::min<std::size_t>(kPassage, static_cast<std::size_t>(spec.context));
    std::vector<engine::RunRequest> passages;
    for (std::size_t at = 0; at < std::min(tokens.size(), kMostRead);) {
        engine::RunRequest passage = whole;
        passage.tokens.clear();
        if (hasFirst && at > 0)
            passage.tokens.push_back(tokens.front());
        const std::size_t count = std::min(length - passage.tokens.size(), tokens.size() - at);
        passage.tokens.insert(passage.tokens.end(), tokens.begin() + static_cast<std::ptrdiff_t>(at),
                              tokens.begin() + static_cast<std::ptrdiff_t>(at + count));
        at += count;
        passages.push_back(std::move(passage));
    }
    return passages;
}

std::string threeDigits(double value)
{
    char text[32];
    std::snprintf(text, sizeof text, "%.3g", value);
    return text;
}

std::string firingInWords(const features::CoderFacts& facts)
{
    switch (facts.firing) {
    case features::Firing::Relu: return "ReLU";
    case features::Firing::JumpRelu: return "JumpReLU";
    case features::Firing::TopK: return "the " + formatCount(facts.k) + " largest";
    case features::Firing::ReluTopK: return "the " + formatCount(facts.k) + " largest above 0";
    }
    return {};
}

/// "demo-clt: circuit-tracer, across layers; 8 layers of 768 features, JumpReLU"
std::string describe(const features::CoderFacts& facts)
{
    return facts.name + ": " + facts.layout + "; " + formatCount(facts.layers) + " layers of " +
           formatCount(facts.features) + " features, " + firingInWords(facts) +
           (facts.hasSkip ? ", with skip" : "");
}

std::string placeTable(const features::PlaceChoice& choice)
{
    TextTable table;
    table.add("reads", {"unexplained"});
    for (const features::ReadingTrial& trial : choice.trials)
        table.add(features::inWords(trial), {threeDigits(trial.meanFvu)});
    return table.text();
}

std::string layerTable(const features::PlaceChoice& choice, const features::CoderReport& report)
{
    TextTable table;
    table.add("layer", {"unexplained", "fire", "never fire"});
    for (std::size_t layer = 0; layer < choice.chosen.fvu.size(); ++layer)
        table.add(std::to_string(layer), {threeDigits(choice.chosen.fvu[layer]),
                                          threeDigits(report.l0[layer]), formatCount(report.dead[layer])});
    return table.text();
}

Json trialJson(const features::ReadingTrial& trial)
{
    return {{"place", wordOf(trial.place)},
            {"rescaled", trial.isRescaled},
            {"centred", trial.isCentred},
            {"fvu", numberOrNull(trial.meanFvu)}};
}

Json reportJson(const features::PlaceChoice& choice, const features::CoderReport& report)
{
    const features::CoderFacts& facts = choice.coders->facts();
    Json json = {{"name", facts.name},
                 {"layout", facts.layout},
                 {"layers", facts.layers},
                 {"features", facts.features},
                 {"width", facts.width},
                 {"across_layers", facts.crossesLayers},
                 {"skip", facts.hasSkip},
                 {"firing", firingInWords(facts)},
                 {"notes", facts.notes},
                 {"reading", trialJson(choice.chosen)},
                 {"verdict", choice.sentence},
                 {"trials", Json::array()},
                 {"by_layer", Json::array()},
                 {"positions", report.positions},
                 {"loss", numberOrNull(report.loss)},
                 {"replaced_loss", numberOrNull(report.replacedLoss)},
                 {"same_top", numberOrNull(report.sameTop)}};
    for (const features::ReadingTrial& trial : choice.trials)
        json["trials"].push_back(trialJson(trial));
    for (std::size_t layer = 0; layer < choice.chosen.fvu.size(); ++layer)
        json["by_layer"].push_back({{"fvu", numberOrNull(choice.chosen.fvu[layer])},
                                    {"l0", report.l0[layer]},
                                    {"dead", report.dead[layer]}});
    return json;
}

void reportFeatures(const FeaturesArguments& arguments)
{
    requireWritable(arguments.json);
    const bool isMeasured = !arguments.texts.isAsked() && arguments.run.scales.empty();
    if (isMeasured && !arguments.run.ablate.empty())
        fail(ErrorCode::BadRequest, "Transcoders are measured on the whole model; leave out --ablate.");
    const engine::Workspace workspace = openWorkspace(arguments.model);
    const std::filesystem::path folder = codersFolder(workspace, arguments.run.features);
    if (arguments.texts.isAsked())
        return writeTexts(workspace, folder, arguments.run, arguments.texts);
    if (!isMeasured)
        return showEffects(workspace, folder, arguments.prompt, arguments.run, arguments.effect,
                           arguments.json);
    const auto coders = orThrow(features::openTranscoders(folder, workspace.model->spec()));
    ProgressLine progress("Place");
    const Hooks hooks{progress.callback(), interruptToken()};
    const std::vector<engine::RunRequest> passages =
        passagesOf(makeRequest(workspace, arguments.prompt, arguments.run));
    const features::PlaceChoice choice = orThrow(features::choosePlace(coders, passages, hooks));
    if (!choice.isGood) {
        say(placeTable(choice));
        fail(ErrorCode::Unsupported, choice.sentence);
    }
    const features::CoderReport report = orThrow(features::reportCoders(*choice.coders, passages, hooks));
    if (!arguments.json.empty())
        return writeOutput(arguments.json, reportJson(choice, report));
    std::string text = describe(choice.coders->facts()) + "\n";
    for (const std::string& note : choice.coders->facts().notes)
        text += note + "\n";
    text += choice.sentence + "\n\n" + placeTable(choice) + "\n" + layerTable(choice, report) + "\n";
    text += "On " + formatCount(report.positions) + " positions the model's loss is " +
            threeDigits(report.loss) + ", and " + threeDigits(report.replacedLoss) +
            " with every MLP replaced by the transcoders; the most probable token stays the same at " +
            threeDigits(100 * report.sameTop) + " % of them.\n";
    writeOutput("", text);
}

}  // namespace

void addFeaturesCommand(CLI::App& app, Action& action)
{
    auto arguments = std::make_shared<FeaturesArguments>();
    CLI::App& command =
        *app.add_subcommand("features", "What a set of transcoders is and how well it explains the MLPs; "
                                        "texts of its features, and what scaling them does");
    addModelOptions(command, arguments->model);
    addPromptOptions(command, arguments->prompt);
    addRunOptions(command, arguments->run);
    addAdapterOption(command, arguments->run);
    addTextsOptions(command, arguments->texts);
    addEffectOptions(command, arguments->effect);
    command.add_option("--json", arguments->json, "Where the JSON goes; - is standard output")
        ->type_name("F");
    command.callback([arguments, &action] { action = [arguments] { reportFeatures(*arguments); }; });
}

}  // namespace hs::app
