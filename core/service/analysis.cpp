#include "service/analysis.h"

#include "base/json.h"
#include "engine/request/gate_choice.h"
#include "service/engine_need.h"
#include "service/graph_trees.h"
#include "text/single_token.h"

namespace hs::service {
namespace {

std::string problemOfToken(const SideRequest& side, const std::string& text)
{
    if (text.empty() || !side.model->tokenizer)
        return {};
    const Result<std::int64_t> token = text::singleToken(*side.model->tokenizer, text);
    return token ? std::string() : token.error().message;
}

nlohmann::ordered_json treeOf(const SideRequest& side)
{
    nlohmann::ordered_json ablations = nlohmann::ordered_json::object();
    for (const auto& [head, change] : side.ablations)
        ablations[toString(head)] = toString(change);
    // Keys of results stored in sessions: words and numbers must not change.
    const bool isOwnGate = side.gate == engine::chooseGate({}, side.model->ownGateBias);
    nlohmann::ordered_json tree = {
        {"model", side.model->fingerprint},
        {"bytes", side.model->weightBytes},
        {"prompt", side.prompt},
        {"tokenIds", side.tokenIds},
        {"bos", side.hasBos},
        {"gate", isOwnGate   ? "own"
                 : side.gate ? "score"
                             : "off"},
        {"gateBias", isOwnGate || !side.gate ? 0 : side.gate->bias},
        {"ablations", std::move(ablations)},
        {"patch", side.patch},
        {"position", side.position ? nlohmann::ordered_json(*side.position) : nullptr},
        {"target", side.target},
        {"distractor", side.distractor}};
    for (const engine::AdapterChoice& choice : side.adapters)
        tree["adapters"].push_back({choice.folder, choice.strength});
    for (const FeatureScale& scale : side.scales)
        tree["scales"].push_back(toString(scale));
    if (!side.scaledIn.empty())
        tree["scaledIn"] = side.scaledIn;
    if (side.isChat)
        tree["chat"] = true;
    if (!side.blocks.isNone())
        tree["blocks"] = toString(side.blocks);
    if (!side.generated.empty())
        tree["generated"] = side.generated;
    if (side.model->tf32)  // keeps keys from before the option existed valid
        tree["tf32"] = true;
    return tree;
}

}  // namespace

bool readsCorrupted(const AnalysisRequest& request)
{
    return request.kind == AnalysisKind::Circuit ||
           (request.kind == AnalysisKind::Sweep && request.sweep.method == analyses::SweepMethod::Resample);
}

std::string problemOf(const AnalysisRequest& request)
{
    if (std::string problem = whyNotPossible(*request.side.model, request.kind); !problem.empty())
        return problem;
    if (request.kind == AnalysisKind::Prompts)
        return request.set.where.empty() ? "There is no set of prompts; open one." : "";
    if (!request.side.hasPrompt())
        return "There is no prompt; type some text.";
    if (request.kind == AnalysisKind::History && request.side.model->revisions.empty())
        return "There is no other step of the training of " + request.side.model->title +
               " beside it; open a folder with a model for each step, such as checkpoint-500 and "
               "checkpoint-1000.";
    if (readsCorrupted(request) && request.corrupted.empty())
        return "There is no corrupted prompt to compare with; give one of as many tokens in which "
               "what the answer hangs on is another word.";
    if (readsFeatures(request.kind) && request.graph.coders.empty() && request.side.model->coders.empty())
        return "There are no transcoders beside " + request.side.model->title +
               "; choose their folder, or train them with headscope transcode.";
    for (const std::string& text : {request.side.target, request.side.distractor})
        if (std::string problem = problemOfToken(request.side, text); !problem.empty())
            return problem;
    return {};
}

std::string keyOf(const AnalysisRequest& request)
{
    nlohmann::ordered_json heads = nlohmann::ordered_json::array();
    for (const HeadId head : request.heads)
        heads.push_back(toString(head));
    nlohmann::ordered_json tree = {
        {"kind", wordOf(request.kind)},
        {"side", treeOf(request.side)},
        {"other", request.other ? treeOf(*request.other) : nullptr},
        {"corrupted", request.corrupted},
        {"sweep", {wordOf(request.sweep.units), wordOf(request.sweep.method)}},
        {"circuit",
         {wordOf(request.circuit.units), wordOf(request.circuit.ranking), request.circuit.level,
          request.circuit.isRefined}},
        {"heads", std::move(heads)},
        {"threshold", request.threshold},
    };
    if (readsFeatures(request.kind))  // keeps keys from before there were features valid
        tree["features"] = {request.graph.coders, treeOf(request.graph.sources),
                            treeOf(request.graph.targets)};
    if (request.kind == AnalysisKind::Prompts)
        tree["set"] = {request.set.where, request.set.stamp, request.set.pattern};
    if (request.lens != LensSetup())
        tree["lens"] = {request.lens.withHalves, request.lens.steps, request.lens.key.value_or(-1)};
    if (request.hasRollout)
        tree["rollout"] = true;
    if (request.kind == AnalysisKind::History) {  // does not depend on the step that is open
        tree["side"]["model"] = nullptr;
        for (const model::Revision& revision : request.side.model->revisions)
            tree["revisions"].push_back(revision.source);
    }
    return tree.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
}

}  // namespace hs::service
