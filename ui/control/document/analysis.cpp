#include "control/document/analysis.h"

#include "base/json.h"
#include "control/document/shown_heads.h"
#include "render/translate.h"
#include "stats/attribution_share.h"
#include "text/single_token.h"

#include <algorithm>
#include <cmath>

namespace hs::control {
namespace {

constexpr std::size_t kScatterHeads = 16;  // unless they are named
constexpr double kNoise = 1e-4;            // share of the largest value: a zero after rounding

bool readsLogits(AnalysisKind kind)
{
    return kind == AnalysisKind::Sweep || kind == AnalysisKind::Circuit || kind == AnalysisKind::Attribution;
}

bool readsCorrupted(const AnalysisRequest& request)
{
    return request.kind == AnalysisKind::Circuit ||
           (request.kind == AnalysisKind::Sweep && request.sweep.method == analyses::SweepMethod::Resample);
}

std::vector<HeadId> scatterHeads(const Document& document, Side side, const HeadShape& shape)
{
    std::vector<HeadId> heads = document.analyses.scatterHeads;
    std::erase_if(heads, [&](HeadId head) { return !shape.contains(head); });
    if (!document.analyses.scatterHeads.empty())
        return heads;
    heads = headsShown(document.side(side).grid, shape, {});
    heads.resize(std::min(heads.size(), kScatterHeads));
    return heads;
}

QString problemOfToken(const SideRequest& side, const std::string& text)
{
    if (text.empty() || !side.model->tokenizer)
        return {};
    const Result<std::int64_t> token = text::singleToken(*side.model->tokenizer, text);
    return token ? QString() : QString::fromStdString(token.error().message);
}

nlohmann::ordered_json treeOf(const SideRequest& side)
{
    nlohmann::ordered_json ablations = nlohmann::ordered_json::object();
    for (const auto& [head, kind] : side.ablations)
        ablations[toString(head)] = wordOf(kind);
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
    if (side.model->tf32)  // keeps keys from before the option existed valid
        tree["tf32"] = true;
    return tree;
}

/// The heads of a list that names some twice, each at its first position.
std::vector<RankedHead> firstPlaces(const std::vector<RankedHead>& all)
{
    std::set<HeadId> seen;
    std::vector<RankedHead> heads;
    for (const RankedHead& ranked : all)
        if (seen.insert(ranked.head).second)
            heads.push_back(ranked);
    return heads;
}

struct Ranking {
    std::vector<RankedHead> operator()(const analyses::Sweep& sweep) const
    {
        std::vector<RankedHead> heads;
        for (std::size_t index = 0; index < sweep.changes.size(); ++index)
            if (const double change = sweep.changes[index].logitDifference; !std::isnan(change))
                for (const HeadId head : analyses::headsOf(sweep.units[index], sweep.kind, sweep.shape))
                    heads.push_back({head, change});
        std::ranges::stable_sort(heads, std::ranges::greater(),
                                 [](const RankedHead& head) { return std::abs(head.value); });
        return heads;
    }
    std::vector<RankedHead> operator()(const analyses::Circuit& circuit) const
    {
        std::vector<RankedHead> heads;
        for (const analyses::CircuitUnit& unit : circuit.units)
            heads.push_back({unit.head, circuit.ranking == analyses::CircuitRanking::Remove ? unit.removal
                                                                                            : unit.effect});
        return firstPlaces(heads);
    }
    std::vector<RankedHead> operator()(const engine::Attribution& attribution) const
    {
        std::vector<RankedHead> heads;
        for (const std::size_t index : stats::rankByMagnitude(attribution.heads))
            heads.push_back({attribution.shape.at(static_cast<int>(index)), attribution.heads[index]});
        return heads;
    }
    std::vector<RankedHead> operator()(const analyses::Comparison& comparison) const
    {
        std::vector<RankedHead> heads;
        for (const analyses::HeadPair& pair : comparison.pairs)
            heads.push_back({pair.head, pair.distance.totalVariation});
        return heads;
    }
    std::vector<RankedHead> operator()(const auto&) const { return {}; }
};

}  // namespace

std::optional<AnalysisRequest> analysisRequest(const Document& document, AnalysisKind kind, Side side,
                                               const OpenModels& models)
{
    const std::shared_ptr<const OpenModel>& model = models[indexOf(side)];
    if (!model)
        return std::nullopt;
    AnalysisRequest request;
    request.kind = kind;
    request.side = sideRequest(document, side, model);
    if (!readsLogits(kind)) {
        request.side.target.clear();
        request.side.distractor.clear();
        request.side.position.reset();
    }
    switch (kind) {
    case AnalysisKind::Sweep: request.sweep = document.analyses.sweep; break;
    case AnalysisKind::Circuit: request.circuit = document.analyses.circuit; break;
    case AnalysisKind::Attribution: break;
    case AnalysisKind::Scatter: request.heads = scatterHeads(document, side, model->heads); break;
    case AnalysisKind::Compare: {
        const auto& other = models[indexOf(Side::Right)];
        if (side == Side::Right || !other)
            return std::nullopt;
        request.other = sideRequest(document, Side::Right, other);
        request.other->target.clear();
        request.other->distractor.clear();
        request.other->position.reset();
        break;
    }
    case AnalysisKind::Flow: request.threshold = document.analyses.flowThreshold; break;
    }
    if (readsCorrupted(request))
        request.corrupted = document.corrupted.toStdString();
    return request;
}

QString problemOf(const AnalysisRequest& request)
{
    if (!request.side.hasPrompt())
        return tr("There is no prompt; type some text.");
    if (readsCorrupted(request) && request.corrupted.empty())
        return tr("There is no corrupted prompt to compare with; give one of as many tokens in which "
                  "what the answer hangs on is another word.");
    for (const std::string& text : {request.side.target, request.side.distractor})
        if (const QString problem = problemOfToken(request.side, text); !problem.isEmpty())
            return problem;
    return {};
}

std::string keyOf(const AnalysisRequest& request)
{
    nlohmann::ordered_json heads = nlohmann::ordered_json::array();
    for (const HeadId head : request.heads)
        heads.push_back(toString(head));
    const nlohmann::ordered_json tree = {
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
    return tree.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
}

std::vector<RankedHead> ranking(const AnalysisResult& result)
{
    std::vector<RankedHead> heads = std::visit(Ranking(), result);
    double most = 0;
    for (const RankedHead& head : heads)
        most = std::max(most, std::abs(head.value));
    std::erase_if(heads, [&](const RankedHead& head) { return std::abs(head.value) <= kNoise * most; });
    return heads;
}

std::vector<HeadId> chosenHeads(const AnalysisResult& result, const AnalysisSetup& setup)
{
    std::vector<RankedHead> chosen;
    if (const auto* const circuit = std::get_if<analyses::Circuit>(&result)) {
        if (circuit->refined.empty())
            for (int rank = 0; rank < circuit->smallest; ++rank)
                chosen.push_back({circuit->units[static_cast<std::size_t>(rank)].head, 0});
        for (const int rank : circuit->refined)
            chosen.push_back({circuit->units[static_cast<std::size_t>(rank)].head, 0});
    } else if (const auto* const attribution = std::get_if<engine::Attribution>(&result)) {
        for (const std::size_t index : stats::smallestReaching(attribution->heads, setup.share))
            chosen.push_back({attribution->shape.at(static_cast<int>(index)), 0});
    }
    std::vector<HeadId> heads;
    for (const RankedHead& ranked : firstPlaces(chosen))
        heads.push_back(ranked.head);
    return heads;
}

}  // namespace hs::control
