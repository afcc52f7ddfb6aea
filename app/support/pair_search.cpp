#include "app/support/pair_search.h"

#include "app/support/messages.h"
#include "app/support/parts.h"
#include "app/support/soundness.h"
#include "app/support/token_output.h"
#include "base/failure.h"
#include "train/named_prompts.h"

#include <algorithm>
#include <cmath>

namespace hs::app {
namespace {

FoundCircuit searchOne(CircuitModel& model, const analyses::CircuitRequest& request,
                       const text::SetPrompt& pair, const Hooks& hooks)
{
    FoundCircuit found;
    found.index = pair.index;
    found.prompts = promptsOf(request, model.workspace.tokenizer.get());
    Result<analyses::Circuit> circuit = analyses::findCircuit(*model.engine, request, hooks);
    if (circuit)
        found.circuit = std::move(*circuit);
    else if (circuit.error().code != ErrorCode::BadRequest)
        throw Failure(circuit.error());
    else {
        // A problem that only a run reveals: the other pairs are still worth having.
        found.problem = circuit.error().message;
        say(pair.where + " was left out: " + found.problem);
    }
    return found;
}

/// Instead of the tokens of a pair that has none.
Json noPrompts()
{
    return {{"clean", nullptr}, {"corrupted", nullptr}, {"target", nullptr}, {"versus", nullptr}};
}

void warnOfOtherEnds(const CircuitTables& tables)
{
    const auto apart = std::ranges::count_if(tables.front().pairs, [](const FoundCircuit& found) {
        return found.circuit && endsApart(*found.circuit);
    });
    if (apart > 0)
        say(std::to_string(apart) + " of the pairs end in different tokens, so a part of their difference "
                                    "passes by the heads; let both prompts of a pair end in the same token.");
}

}  // namespace

analyses::CircuitRequest circuitRequest(CircuitModel& model, const text::SetPrompt& pair,
                                        const CircuitOptions& options)
{
    const auto requestFor = [&](const std::string& text) {
        PromptArguments prompt;
        prompt.text = text;
        prompt.withoutBos = options.withoutBos;
        return makeRequest(model.workspace, prompt, options.run);
    };
    analyses::CircuitRequest request;
    request.clean = requestFor(pair.text);
    request.corrupted = requestFor(pair.source.value_or(""));
    request.target = wantedToken(model.workspace, pair.target);
    request.versus = wantedToken(model.workspace, pair.versus.value_or(""));
    request.level = options.level;
    request.units = options.units;
    request.ranking = options.ranking;
    request.isRefined = options.isRefined;
    requireSound([&](const Hooks& hooks) { return analyses::findCircuit(*model.engine, request, hooks); });
    return request;
}

Json promptsOf(const analyses::CircuitRequest& request, const text::Tokenizer* tokenizer)
{
    return {{"clean", tokenList(request.clean.tokens, tokenizer)},
            {"corrupted", tokenList(request.corrupted.tokens, tokenizer)},
            {"target", tokenJson(request.target, tokenizer)},
            {"versus", request.versus ? tokenJson(*request.versus, tokenizer) : Json(nullptr)}};
}

bool endsApart(const analyses::Circuit& circuit)
{
    return std::abs(circuit.none - circuit.corrupted) > 1e-3 * std::abs(circuit.clean - circuit.corrupted);
}

PairSearch searchPairs(std::vector<CircuitModel>& models, const std::string& file, const Shard& shard,
                       const CircuitOptions& options)
{
    text::PromptSet set =
        train::openPrompts(file, text::PromptNeeds::Pair, models.front().workspace.tokenizer.get());
    const int count = set.count();
    PairSearch search;
    for (const CircuitModel& model : models) {
        checkRunOptions(model.workspace, options.run);
        search.tables.push_back(
            {{model.workspace.model->facts().name, options.units, options.ranking, options.level,
              options.isRefined, count, conditionsOf(file, options.run, options.withoutBos)},
             {}});
    }
    ProgressLine progress("Pair");
    const Hooks hooks{progress.callback(), interruptToken()};
    while (const std::optional<text::SetPrompt> pair = set.next()) {
        if (!shard.has(pair->index))
            continue;
        hooks.report(pair->index, count);
        std::vector<text::LeftOutPrompt> leftOut;
        const auto requests = text::doneOrLeftOut(*pair, leftOut, [&] {
            std::vector<analyses::CircuitRequest> made;
            for (CircuitModel& model : models)
                made.push_back(circuitRequest(model, *pair, options));
            return made;
        });
        std::vector<FoundCircuit> found;
        try {
            for (std::size_t model = 0; model < models.size(); ++model)
                found.push_back(requests
                                    ? searchOne(models[model], (*requests)[model], *pair, {{}, hooks.stop})
                                    : FoundCircuit{pair->index, noPrompts(), {}, leftOut.front().problem});
        } catch (const Failure& failure) {
            if (failure.error().code != ErrorCode::Cancelled)
                throw;
            search.isStopped = true;
            break;
        }
        for (std::size_t model = 0; model < models.size(); ++model)
            search.tables[model].pairs.push_back(std::move(found[model]));
    }
    warnOfOtherEnds(search.tables);
    return search;
}

}  // namespace hs::app
