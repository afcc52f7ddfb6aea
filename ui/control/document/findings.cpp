#include "control/document/findings.h"

#include "stats/attribution_share.h"

#include <algorithm>
#include <cmath>

namespace hs::control {
namespace {

constexpr double kNoise = 1e-4;  // share of the largest value: a zero after rounding

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
    const AnalysisSetup& setup;

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
    std::vector<RankedHead> operator()(const features::EdgeHeads& edge) const
    {
        std::vector<RankedHead> heads;
        for (const std::size_t index : stats::rankByMagnitude(edge.loads))
            heads.push_back({edge.shape.at(static_cast<int>(index)), edge.loads[index]});
        return heads;
    }
    std::vector<RankedHead> operator()(const analyses::History& history) const
    {
        std::vector<RankedHead> heads;
        if (const stats::Metric* const metric = stats::findMetric(setup.historyMetric.toStdString()))
            for (const auto& [head, change] : analyses::mostChanged(history, *metric))
                heads.push_back({head, change});
        return heads;
    }
    std::vector<RankedHead> operator()(const auto&) const { return {}; }
};

}  // namespace

std::vector<RankedHead> ranking(const service::AnalysisResult& result, const AnalysisSetup& setup)
{
    std::vector<RankedHead> heads = std::visit(Ranking{setup}, result);
    double most = 0;
    for (const RankedHead& head : heads)
        most = std::max(most, std::abs(head.value));
    std::erase_if(heads, [&](const RankedHead& head) { return std::abs(head.value) <= kNoise * most; });
    return heads;
}

std::vector<HeadId> chosenHeads(const service::AnalysisResult& result, const AnalysisSetup& setup)
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
    } else if (const auto* const edge = std::get_if<features::EdgeHeads>(&result)) {
        for (const std::size_t index : stats::smallestReaching(edge->loads, setup.share))
            chosen.push_back({edge->shape.at(static_cast<int>(index)), 0});
    }
    std::vector<HeadId> heads;
    for (const RankedHead& ranked : firstPlaces(chosen))
        heads.push_back(ranked.head);
    return heads;
}

}  // namespace hs::control
