#include "app/support/generation.h"

#include "app/support/messages.h"
#include "app/support/token_output.h"
#include "app/support/workspace.h"
#include "base/failure.h"
#include "engine/load/end_tokens.h"
#include "model/adapter/adapter_files.h"

#include <algorithm>

namespace hs::app {
namespace {

Json predictionJson(const engine::Prediction& prediction, const text::Tokenizer* tokenizer)
{
    Json json = tokenJson(prediction.token, tokenizer);
    json["prob"] = prediction.probability;
    return json;
}

/// Where the first of some texts begins in another; its end where there is none of them.
std::size_t firstOf(const std::vector<std::string>& texts, const std::string& in)
{
    std::size_t first = in.size();
    for (const std::string& text : texts)
        first = std::min(first, in.find(text));
    return first;
}

}  // namespace

std::vector<std::int64_t> WrittenText::tokens() const
{
    std::vector<std::int64_t> ids;
    for (const analyses::GeneratedToken& step : generation.tokens)
        ids.push_back(step.token.token);
    return ids;
}

void addGenerationOptions(CLI::App& command, GenerationArguments& arguments, bool withSeed)
{
    auto* const count =
        command
            .add_option("--generate", arguments.count, "Continue by at most N tokens, greedily by default")
            ->check(CLI::Range(0, 100000))
            ->type_name("N");
    auto* const temperature =
        command
            .add_option("--temperature", arguments.temperature,
                        "Draw each token by its probability at this temperature; 0: the most probable one")
            ->check(CLI::Range(0.0, 1000.0))
            ->capture_default_str()
            ->needs(count);
    command.add_option("--top-k", arguments.topK, "Draw among the K most probable tokens only; 0: among all")
        ->check(CLI::Range(0, 1000000))
        ->capture_default_str()
        ->needs(temperature)
        ->type_name("K");
    if (withSeed)
        command.add_option("--seed", arguments.seed, "Draw other tokens; the same seed draws the same ones")
            ->capture_default_str()
            ->needs(temperature);
    command
        .add_option("--stop", arguments.stop,
                    "Stop where this text comes, and leave it out; may be given several times")
        ->needs(count)
        ->type_name("TEXT");
    command
        .add_option("--ablate-from", arguments.ablateFrom,
                    "The step, from 0 on, from which the heads of --ablate are off, in the whole text")
        ->check(CLI::Range(0, 100000))
        ->capture_default_str()
        ->needs(count)
        ->type_name("STEP");
}

WrittenText writeOn(const engine::Workspace& workspace, const std::string& name, engine::RunRequest run,
                    const GenerationArguments& arguments)
{
    if (std::ranges::any_of(arguments.stop, &std::string::empty))
        fail(ErrorCode::BadRequest, "An empty text is everywhere; give --stop some characters.");
    run.capture = {};
    run.capture.loss = false;
    run.spans = {};
    analyses::GenerationRequest request;
    request.run = std::move(run);
    request.count = arguments.count;
    request.temperature = arguments.temperature;
    request.topK = arguments.topK;
    request.seed = arguments.seed;
    request.ablateFrom = arguments.ablateFrom;
    request.endTokens = engine::endTokens(orThrow(model::locateModelBehind(name)));
    WrittenText written;
    std::string text;
    const auto hear = [&](const analyses::GeneratedToken& step, const engine::RunResult&) {
        written.text = text;
        text += tokenText(workspace.tokenizer.get(), step.token.token);
        return firstOf(arguments.stop, text) == text.size();
    };
    ProgressLine progress("Token");
    written.generation = orThrow(analyses::generate(request, {progress.callback(), interruptToken()}, hear));
    if (written.generation.end != analyses::GenerationEnd::EndToken)
        written.text = text.substr(0, firstOf(arguments.stop, text));
    return written;
}

Json toJson(const WrittenText& written, const text::Tokenizer* tokenizer)
{
    Json generated = Json::array();
    for (const analyses::GeneratedToken& step : written.generation.tokens) {
        Json token = predictionJson(step.token, tokenizer);
        token["runners_up"] = Json::array();
        for (const engine::Prediction& other : step.runnersUp)
            token["runners_up"].push_back(predictionJson(other, tokenizer));
        generated.push_back(std::move(token));
    }
    return {{"generated", std::move(generated)},
            {"continuation", written.text},
            {"stopped_by", wordOf(written.generation.end)}};
}

}  // namespace hs::app
