#include "analysis/attribution_share.h"
#include "engine/analysis_json.h"
#include "engine/head_json.h"

#include <algorithm>
#include <array>

namespace hs {
namespace {

using Kind = AttributionPart::Kind;
constexpr std::array kKinds = {Kind::Embedding, Kind::Head, Kind::AttentionBias, Kind::Mlp, Kind::FinalBias};

bool hasLayer(Kind kind)
{
    return kind != Kind::Embedding && kind != Kind::FinalBias;
}

Json toJson(const AttributionPart& part)
{
    Json row = {{"part", name(part.kind)}, {"value", numberOrNull(part.value)}};
    if (hasLayer(part.kind))
        row["layer"] = part.layer;
    if (part.kind == Kind::Head)
        row["head"] = part.head;
    return row;
}

AttributionPart partFrom(const JsonReader& row, const HeadShape& shape)
{
    const std::string wanted = row.text("part");
    const auto* const kind =
        std::find_if(kKinds.begin(), kKinds.end(), [&](Kind each) { return name(each) == wanted; });
    if (kind == kKinds.end())
        row.bad("has a part that is not known here");
    AttributionPart part;
    part.kind = *kind;
    part.layer = hasLayer(*kind) ? row.integer("layer", 0, shape.layers - 1) : 0;
    part.head = *kind == Kind::Head ? row.integer("head", 0, shape.heads - 1) : 0;
    part.value = row.number("value");
    return part;
}

std::vector<double> headsFrom(const JsonReader& reader, const HeadShape& shape)
{
    const auto count = static_cast<std::size_t>(shape.total());
    const Json& rows = reader.list("heads", count);
    std::vector<double> heads(count);
    std::vector<bool> isKnown(count);
    for (const Json& item : rows) {
        const JsonReader row = reader.item(item);
        const auto index = static_cast<std::size_t>(shape.indexOf(headFrom(row, shape)));
        if (isKnown[index])
            reader.bad("has a head twice");
        isKnown[index] = true;
        heads[index] = row.number("value");
    }
    return heads;
}

}  // namespace

Json toJson(const Attribution& attribution)
{
    Json heads = Json::array();
    for (const std::size_t index : rankByMagnitude(attribution.heads)) {
        heads.push_back(headRow(attribution.shape.at(static_cast<int>(index))));
        heads.back()["value"] = numberOrNull(attribution.heads[index]);
    }
    Json edges = Json::array();
    for (const AttributionEdge& edge : attribution.edges)
        edges.push_back({{"layer", edge.head.layer},
                         {"head", edge.head.head},
                         {"query", attribution.position},
                         {"key", edge.key},
                         {"value", numberOrNull(edge.value)}});
    Json parts = Json::array();
    for (const AttributionPart& part : attribution.parts)
        parts.push_back(toJson(part));
    return {{"shape", toJson(attribution.shape)},
            {"position", attribution.position},
            {"logit", numberOrNull(attribution.logit)},
            {"probability", numberOrNull(attribution.probability)},
            {"heads", std::move(heads)},
            {"edges", std::move(edges)},
            {"parts", std::move(parts)}};
}

Attribution attributionFrom(const Json& json, const std::string& what)
{
    const JsonReader reader = readerOf(json, what);
    Attribution attribution;
    attribution.shape = shapeFrom(reader.object("shape"));
    attribution.position = reader.integer("position", 0, kMostTokens);
    attribution.logit = reader.number("logit");
    attribution.probability = reader.number("probability");
    attribution.heads = headsFrom(reader, attribution.shape);
    for (const Json& item : reader.list("edges")) {
        const JsonReader row = reader.item(item);
        row.integer("query", attribution.position, attribution.position);
        attribution.edges.push_back({headFrom(row, attribution.shape),
                                     row.integer("key", 0, attribution.position), row.number("value")});
    }
    for (const Json& item : reader.list("parts"))
        attribution.parts.push_back(partFrom(reader.item(item), attribution.shape));
    return attribution;
}

}  // namespace hs
