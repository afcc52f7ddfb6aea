#include "app/features/scaled_effects_output.h"

#include "app/support/messages.h"
#include "app/support/output.h"
#include "app/support/text_table.h"
#include "app/support/workspace.h"
#include "base/failure.h"
#include "features/effects/scaled_features.h"

namespace hs::app {
namespace {

Json effectsJson(const features::ScaledEffects& effects, const std::vector<FeatureScale>& scales,
                 const text::Tokenizer* tokenizer)
{
    Json json = {{"position", effects.position},
                 {"places", effects.places},
                 {"scales", Json::array()},
                 {"logits", Json::array()}};
    for (const FeatureScale& scale : scales)
        json["scales"].push_back(toString(scale));
    for (const features::ScaledLogit& logit : effects.logits)
        json["logits"].push_back({{"id", logit.token},
                                  {"text", tokenText(tokenizer, logit.token)},
                                  {"logit", numberOrNull(logit.before)},
                                  {"predicted", numberOrNull(logit.predicted)},
                                  {"constrained", numberOrNull(logit.constrained)},
                                  {"patterns_held", numberOrNull(logit.frozen)},
                                  {"free", numberOrNull(logit.free)}});
    return json;
}

}  // namespace

void addEffectOptions(CLI::App& command, EffectTarget& target)
{
    auto* const wanted = command.add_option(
        "--target", target.target,
        "With --scale: one token whose logit is looked at; by default the most probable ones");
    wanted->type_name("T");
    command.add_option("--versus", target.versus, "A token whose logit is subtracted from the target's")
        ->needs(wanted)
        ->type_name("U");
}

void showEffects(const engine::Workspace& workspace, const std::filesystem::path& folder,
                 const PromptArguments& prompt, RunArguments run, const EffectTarget& target,
                 const std::string& json)
{
    const std::vector<FeatureScale> scales = parseScales(run.scales);
    run.scales.clear();
    features::GraphRequest request;
    request.run = makeRequest(workspace, prompt, run);
    request.coders = orThrow(features::openTranscoders(folder, workspace.model->spec()));
    if (target.target)
        request.target = wantedToken(workspace, *target.target);
    if (target.versus)
        request.versus = wantedToken(workspace, *target.versus);
    const features::ScaledEffects effects =
        orThrow(features::scaledEffects(request, scales, {{}, interruptToken()}));
    const text::Tokenizer* const tokenizer = workspace.tokenizer.get();
    if (!json.empty())
        return writeOutput(json, effectsJson(effects, scales, tokenizer));
    TextTable table;
    table.add("token", {"logit", "edges predict", "all held", "patterns held", "free"});
    for (const features::ScaledLogit& logit : effects.logits)
        table.add(tokenizer ? tokenText(tokenizer, logit.token) : std::to_string(logit.token),
                  {signedNumber(logit.before), signedNumber(logit.predicted), signedNumber(logit.constrained),
                   signedNumber(logit.frozen), signedNumber(logit.free)});
    writeOutput("", table.text());
    say("The scaled features fire at " + std::to_string(effects.places) +
        (effects.places == 1 ? " place" : " places") + "; changes are of logits less " +
        (target.versus ? "that of \"" + *target.versus + "\"" : "the mean of all") + ".");
}

}  // namespace hs::app
