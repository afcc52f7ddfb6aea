#include "analyses/analysis_json.h"
#include "analyses/head_json.h"
#include "stats/attribution_share.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <iterator>

namespace hs::analyses {
namespace {

Json toJson(const engine::AttributionPart& part)
{
    using Kind = engine::AttributionPart::Kind;
    Json row = {{"part", wordOf(part.kind)}, {"value", numberOrNull(part.value)}};
    if (part.kind != Kind::Embedding && part.kind != Kind::FinalBias)
        row["layer"] = part.layer;
    if (part.kind == Kind::Head)
        row["head"] = part.head;
    return row;
}

std::vector<engine::AttributionPart> largestMlps(const engine::Attribution& attribution)
{
    std::vector<engine::AttributionPart> mlps;
    std::ranges::copy_if(attribution.parts, std::back_inserter(mlps),
                         [](const auto& part) { return part.kind == engine::AttributionPart::Kind::Mlp; });
    std::ranges::stable_sort(mlps, std::greater(), [](const auto& part) { return std::abs(part.value); });
    return mlps;
}

Json listOf(const std::vector<engine::TokenWeight>& tokens)
{
    Json list = Json::array();
    for (const engine::TokenWeight& token : tokens)
        list.push_back({{"id", token.token}, {"value", numberOrNull(token.weight)}});
    return list;
}

}  // namespace

Json toJson(const engine::Attribution& attribution)
{
    Json heads = Json::array();
    for (const std::size_t index : stats::rankByMagnitude(attribution.heads)) {
        heads.push_back(headRow(attribution.shape.at(static_cast<int>(index))));
        heads.back()["value"] = numberOrNull(attribution.heads[index]);
    }
    Json mlps = Json::array();
    for (const engine::AttributionPart& part : largestMlps(attribution)) {
        Json row = headRow(HeadId::mlpOf(part.layer));
        row["value"] = numberOrNull(part.value);
        const auto layer = static_cast<std::size_t>(part.layer);
        if (layer < attribution.mlps.size()) {
            row["promotes"] = listOf(attribution.mlps[layer].most);
            row["holds_down"] = listOf(attribution.mlps[layer].least);
        }
        mlps.push_back(std::move(row));
    }
    Json edges = Json::array();
    for (const engine::AttributionEdge& edge : attribution.edges)
        edges.push_back({{"layer", edge.head.layer},
                         {"head", edge.head.head},
                         {"query", attribution.position},
                         {"key", edge.key},
                         {"value", numberOrNull(edge.value)}});
    Json parts = Json::array();
    for (const engine::AttributionPart& part : attribution.parts)
        parts.push_back(toJson(part));
    return {{"shape", toJson(attribution.shape)},
            {"position", attribution.position},
            {"logit", numberOrNull(attribution.logit)},
            {"before_cap", attribution.isBeforeCap},
            {"probability", numberOrNull(attribution.probability)},
            {"heads", std::move(heads)},
            {"mlps", std::move(mlps)},
            {"edges", std::move(edges)},
            {"parts", std::move(parts)}};
}

}  // namespace hs::analyses
