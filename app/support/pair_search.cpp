#include "app/support/pair_search.h"

#include "app/support/messages.h"
#include "app/support/parts.h"
#include "app/support/soundness.h"
#include "app/support/token_output.h"
#include "base/failure.h"

#include <algorithm>
#include <cmath>

namespace hs::app {
namespace {

FoundCircuit searchOne(CircuitModel& model, const analyses::CircuitRequest& request, const PairLine& pair,
                       const Hooks& hooks)
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

analyses::CircuitRequest circuitRequest(CircuitModel& model, const PairLine& pair,
                                        const CircuitOptions& options)
{
    const auto requestFor = [&](const std::string& text) {
        PromptArguments prompt;
        prompt.text = text;
        prompt.withoutBos = options.withoutBos;
        return makeRequest(model.workspace, prompt, options.run);
    };
    analyses::CircuitRequest request;
    request.clean = requestFor(pair.clean);
    request.corrupted = requestFor(pair.corrupted);
    request.target = wantedToken(model.workspace, pair.target);
    request.versus = wantedToken(model.workspace, pair.versus);
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
    const std::vector<PairLine> pairs = readPairFile(file);
    const int count = static_cast<int>(pairs.size());
    std::vector<std::vector<analyses::CircuitRequest>> requests(models.size());  // [model][pair]
    PairSearch search;
    for (std::size_t model = 0; model < models.size(); ++model) {
        for (const PairLine& pair : pairs)
            requests[model].push_back(
                checkedLine(pair.where, [&] { return circuitRequest(models[model], pair, options); }));
        search.tables.push_back(
            {{models[model].workspace.model->facts().name, options.units, options.ranking, options.level,
              options.isRefined, count, conditionsOf(file, options.run, options.withoutBos)},
             {}});
    }
    ProgressLine progress("Pair");
    const Hooks hooks{progress.callback(), interruptToken()};
    for (const PairLine& pair : pairs) {
        if (!shard.has(pair.index))
            continue;
        std::vector<FoundCircuit> found;
        hooks.report(pair.index, count);
        try {
            for (std::size_t model = 0; model < models.size(); ++model)
                found.push_back(searchOne(models[model],
                                          requests[model][static_cast<std::size_t>(pair.index)], pair,
                                          {{}, hooks.stop}));
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
