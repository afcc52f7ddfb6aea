#include "app/support/commands.h"

#include "analyses/known_checks.h"
#include "analyses/reference_check.h"
#include "app/support/messages.h"
#include "app/support/output.h"
#include "app/support/workspace.h"
#include "base/failure.h"

#include <algorithm>
#include <cstdio>
#include <memory>

namespace hs::app {
namespace {

struct CheckArguments {
    engine::ModelArguments model;
    RunArguments run;
    std::string reference;
    std::optional<double> tolerance;
    std::string json;
};

// Ten times what two orders of summation have been seen to differ by, and what a half type rounds to.
constexpr double kFloatTolerance = 2e-5;
constexpr double kHalfTolerance = 2e-2;

double usualTolerance(const engine::Model::Facts& facts)
{
    const bool isFloat = !facts.device.isCuda() || facts.dtype == model::DType::F32;
    return isFloat ? kFloatTolerance : kHalfTolerance;
}

std::string shortNumber(double value)
{
    char text[32];
    std::snprintf(text, sizeof text, "%.2g", value);
    return text;
}

/// "attention within 1.2e-07 (L0H3, query 5, key 2), logits within 2e-06 of the largest (position 4)"
std::string describe(const analyses::ReferenceCheck& check, const char* how)
{
    std::string text;
    if (const auto& found = check.attention)
        text += std::string("attention ") + how + " " + shortNumber(found->difference) + " (" +
                toString(found->head) + ", query " + std::to_string(found->cell.query) + ", key " +
                std::to_string(found->cell.key) + ")";
    if (const auto& found = check.logits)
        text += (text.empty() ? "" : ", ") + std::string("logits ") + how + " " +
                shortNumber(found->difference) + " of the largest (position " +
                std::to_string(found->position) + ")";
    return text;
}

Json toJson(const analyses::ReferenceCheck& check, const analyses::Reference& reference, double tolerance)
{
    Json json = {{"reference", reference.name},
                 {"tokens", reference.tokens.size()},
                 {"tolerance", tolerance},
                 {"largest_difference", numberOrNull(check.largest())},
                 {"equal", check.largest() <= tolerance}};
    if (const auto& found = check.attention)
        json["attention"] = {{"difference", numberOrNull(found->difference)},
                             {"head", toString(found->head)},
                             {"query", found->cell.query},
                             {"key", found->cell.key}};
    if (const auto& found = check.logits)
        json["logits"] = {{"difference", numberOrNull(found->difference)},
                          {"position", found->position},
                          {"token", found->token}};
    return json;
}

/// The tokenizer cuts the reference's text into the reference's tokens, with or without a first one.
void requireSameTokens(const analyses::Reference& reference, const engine::Workspace& workspace)
{
    if (!reference.text || !workspace.tokenizer)
        return;
    for (const bool addsSpecial : {true, false})
        if (orThrow(workspace.tokenizer->encode(*reference.text, addsSpecial)).ids == reference.tokens)
            return;
    const auto ours = orThrow(workspace.tokenizer->encode(*reference.text)).ids;
    const auto differs = std::ranges::mismatch(ours, reference.tokens).in1 - ours.begin();
    fail(ErrorCode::BadRequest, "The tokenizer cuts the text of " + reference.name +
                                    " into other tokens, from position " + std::to_string(differs) +
                                    " on; use the tokenizer that the reference was made with.");
}

/// The window names it beside the model's title.
void remember(const CheckArguments& arguments, const engine::Workspace& workspace,
              const std::string& reference, double difference)
{
    const engine::Model::Facts& facts = workspace.model->facts();
    const auto done = analyses::rememberCheck(
        model::Environment::fromProcess(), workspace.fingerprint,
        engine::precisionName(facts.device, facts.dtype, arguments.run.tf32), {reference, difference});
    if (!done)
        say("The window will not know of this: " + done.error().message);
}

void run(const CheckArguments& arguments)
{
    requireWritable(arguments.json);
    const analyses::Reference reference = analyses::readReference(arguments.reference);
    const engine::Workspace workspace = openWorkspace(arguments.model);
    requireSameTokens(reference, workspace);
    PromptArguments prompt;
    prompt.tokens = std::to_string(reference.tokens.front());
    const engine::RunRequest request = makeRequest(workspace, prompt, arguments.run);
    engine::Engine engine;
    ProgressLine progress("Layer");
    const analyses::ReferenceCheck check =
        orThrow(analyses::checkAgainst(reference, engine, request, {progress.callback(), interruptToken()}));
    const engine::Model::Facts& facts = workspace.model->facts();
    const double tolerance = arguments.tolerance.value_or(usualTolerance(facts));
    if (!arguments.json.empty())
        writeOutput(arguments.json, toJson(check, reference, tolerance));
    if (!(check.largest() <= tolerance))
        fail(ErrorCode::BadRequest,
             facts.name + " differs from " + reference.name + " by more than " + shortNumber(tolerance) +
                 ": " + describe(check, "by") +
                 "; make the reference in float32 with the same weights, or raise --tolerance.");
    if (!arguments.run.isGiven())
        remember(arguments, workspace, reference.by.empty() ? reference.name : reference.by, check.largest());
    if (arguments.json != "-")
        writeOutput("-", facts.name + " equals " + reference.name + " within " +
                             shortNumber(check.largest()) + ": " + describe(check, "within") + ".\n");
}

}  // namespace

void addCheckCommand(CLI::App& app, Action& action)
{
    auto arguments = std::make_shared<CheckArguments>();
    CLI::App& command =
        *app.add_subcommand("check", "Whether a model gives the tokens, attention and logits of a reference");
    addModelOptions(command, arguments->model);
    addRunOptions(command, arguments->run);
    addAdapterOption(command, arguments->run);
    command
        .add_option("--reference", arguments->reference,
                    "NPZ or safetensors with tokens and attention, logits or both, made by another program")
        ->required()
        ->type_name("F");
    command
        .add_option(
            "--tolerance", arguments->tolerance,
            "Largest difference of weights, and of logits as a share of the largest (2e-5 in float32, "
            "2e-2 in half types)")
        ->check(CLI::Range(0.0, 1.0));
    command.add_option("--json", arguments->json, "Write the differences to this file; - is standard output")
        ->type_name("F");
    command.callback([arguments, &action] { action = [arguments] { run(*arguments); }; });
}

}  // namespace hs::app
