#include "service/engine_request.h"

#include "engine/load/adapter_shelf.h"
#include "text/prompt.h"
#include "text/single_token.h"
#include "text/token_ids.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace hs::service {
namespace {

// What a screen shows of all heads at once; of the few that are seen when zoomed in, full maps are read.
constexpr int kLargestTileSide = 128;

std::vector<text::Token> givenTokens(const std::string& ids, const text::Tokenizer* tokenizer)
{
    std::vector<text::Token> tokens;
    for (const std::int64_t id : orThrow(text::parseTokenIds(ids)))
        tokens.push_back({id, tokenizer ? tokenizer->tokenText(id) : "#" + std::to_string(id), 0, 0});
    return tokens;
}

WatchedToken watchedOf(const WatchChoice& choice, const engine::RunResult& after,
                       const engine::RunResult& before)
{
    WatchedToken watched;
    watched.id = choice.id;
    watched.problem = choice.problem;
    const auto find = [&](const engine::RunResult& run) {
        for (const engine::Prediction& prediction : run.watched)
            if (prediction.token == choice.id)
                return prediction;
        return engine::Prediction{};
    };
    if (watched.id >= 0) {
        watched.after = find(after);
        watched.before = find(before);
    }
    return watched;
}

}  // namespace

WatchChoice chooseWatched(const text::Tokenizer& tokenizer, const std::string& text)
{
    if (text.find_first_not_of(' ') == std::string::npos)
        return {};
    const Result<std::int64_t> token = text::singleToken(tokenizer, text);
    return token ? WatchChoice{*token, {}} : WatchChoice{-1, token.error().message};
}

std::int64_t tokenOf(const SideRequest& request, const std::string& text)
{
    if (!request.model->tokenizer)
        fail(ErrorCode::NotFound, "This model's folder has no tokenizer, so \"" + text +
                                      "\" cannot be found in its vocabulary; put its tokenizer.json there.");
    return orThrow(text::singleToken(*request.model->tokenizer, text));
}

EngineRequest engineRequest(const SideRequest& request)
{
    if (!request.model || !request.model->model)
        fail(ErrorCode::BadRequest, "There is no model to run; open one first.");
    const text::Tokenizer* const tokenizer = request.model->tokenizer.get();
    if (!tokenizer && request.tokenIds.empty())
        fail(ErrorCode::NotFound, "This model's folder has no tokenizer, so text cannot be run; put its "
                                  "tokenizer.json there and open the model again.");
    EngineRequest plan;
    plan.tokens =
        request.tokenIds.empty()
            ? orThrow(text::readPrompt(*tokenizer, request.prompt, request.isChat, request.hasBos)).tokens
            : givenTokens(request.tokenIds, tokenizer);
    const std::vector<text::Token> generated =
        generatedTokens(tokenizer, request.generated, plan.tokens.empty() ? 0 : plan.tokens.back().end);
    plan.tokens.insert(plan.tokens.end(), generated.begin(), generated.end());
    plan.next.id = request.next.value_or(-1);
    if (tokenizer) {
        plan.target = chooseWatched(*tokenizer, request.target);
        plan.distractor = chooseWatched(*tokenizer, request.distractor);
    }

    engine::RunRequest& run = plan.run;
    run.model = request.model->model;
    for (const text::Token& token : plan.tokens)
        run.tokens.push_back(token.id);
    for (const auto& [head, change] : request.ablations)
        if (const auto now = within(change, static_cast<int>(run.tokens.size()))) {
            run.ablations[head].kind = now->kind;
            run.ablations[head].edits = now->cells;
        }
    run.gate = request.gate;
    if (request.model->adapters)
        run.adapters = request.model->adapters->chosen(request.adapters);
    run.tf32 = request.model->tf32;
    plan.blocks = text::blocksOf(request.blocks, plan.tokens);
    run.spans = plan.blocks.spans;
    const int length = static_cast<int>(run.tokens.size());
    run.capture.tileSide = tileSideFor(request.model->heads, run.places(), request.tileBytes);
    if (request.position && *request.position >= 0 && *request.position < length)
        run.capture.position = request.position;
    for (const WatchChoice& watched : {plan.target, plan.distractor, plan.next})
        if (watched.id >= 0 && watched.id < run.model->spec().vocabulary)
            run.capture.watched.push_back(watched.id);
    return plan;
}

void nameTokens(const EngineRequest& plan, SideResult& result)
{
    result.tokens = plan.tokens;
    if (!plan.run.fold())
        return;
    result.blockTokens = std::exchange(result.tokens, text::tokensOf(plan.blocks, plan.tokens));
    result.spans = plan.blocks.spans;
}

void readWatched(const EngineRequest& plan, SideResult& result)
{
    result.position = result.after.position;
    result.target = watchedOf(plan.target, result.after, result.before);
    result.distractor = watchedOf(plan.distractor, result.after, result.before);
    result.next = watchedOf(plan.next, result.after, result.before);
}

WatchedLogits watchedLogits(const SideRequest& request, const engine::RunRequest& run, engine::Engine& engine,
                            const Hooks& hooks)
{
    WatchedLogits logits;
    if (!request.distractor.empty())
        logits.versus = tokenOf(request, request.distractor);
    if (!request.target.empty())
        logits.target = tokenOf(request, request.target);
    else
        logits.target = orThrow(engine.run(run, {{}, hooks.stop})).predictions.at(0).token;
    return logits;
}

int tileSideFor(const HeadShape& heads, int tokens, int bytes)
{
    const double withinBudget = std::sqrt(static_cast<double>(bytes) / std::max(heads.total(), 1));
    return std::max(1, std::min({kLargestTileSide, tokens, static_cast<int>(withinBudget)}));
}

}  // namespace hs::service
