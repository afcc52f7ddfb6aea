#include "analyses/analysis_json.h"
#include "analyses/head_json.h"
#include "stats/attribution_share.h"

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

}  // namespace

Json toJson(const engine::Attribution& attribution)
{
    Json heads = Json::array();
    for (const std::size_t index : stats::rankByMagnitude(attribution.heads)) {
        heads.push_back(headRow(attribution.shape.at(static_cast<int>(index))));
        heads.back()["value"] = numberOrNull(attribution.heads[index]);
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
            {"edges", std::move(edges)},
            {"parts", std::move(parts)}};
}

}  // namespace hs::analyses
