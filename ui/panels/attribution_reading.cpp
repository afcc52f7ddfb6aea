#include "panels/attribution_reading.h"

#include "analysis/attribution_share.h"

#include <map>

namespace hs {
namespace {

MassCurve massOf(const std::vector<double>& values, double share)
{
    MassCurve curve{cumulativeMass(values), static_cast<int>(smallestReaching(values, share).size())};
    if (curve.smallest == 0)
        curve.mass.clear();
    return curve;
}

/// Of a head's edges those, largest first, that make the share of its absolute contributions.
std::vector<AttributionEdge> carryingCells(const std::vector<AttributionEdge>& edges, double share)
{
    std::vector<double> values;
    for (const AttributionEdge& edge : edges)
        values.push_back(edge.value);
    std::vector<AttributionEdge> cells;
    for (const std::size_t index : smallestReaching(values, share))
        cells.push_back(edges[index]);
    return cells;
}

}  // namespace

PartSums partSums(const Attribution& attribution)
{
    PartSums sums;
    for (const AttributionPart& part : attribution.parts)
        switch (part.kind) {
        case AttributionPart::Kind::Embedding: sums.embedding += part.value; break;
        case AttributionPart::Kind::Head: sums.heads += part.value; break;
        case AttributionPart::Kind::Mlp: sums.mlps += part.value; break;
        case AttributionPart::Kind::AttentionBias:
        case AttributionPart::Kind::FinalBias: sums.biases += part.value; break;
        }
    return sums;
}

std::vector<CarryingHead> carryingHeads(const Attribution& attribution, double share)
{
    std::map<HeadId, std::vector<AttributionEdge>> edges;
    for (const AttributionEdge& edge : attribution.edges)
        edges[edge.head].push_back(edge);
    std::vector<CarryingHead> heads;
    for (const std::size_t index : smallestReaching(attribution.heads, share)) {
        const HeadId head = attribution.shape.at(static_cast<int>(index));
        heads.push_back({head, attribution.heads[index], carryingCells(edges[head], share)});
    }
    return heads;
}

std::vector<RankedHead> contributingHeads(const Attribution& attribution)
{
    std::vector<RankedHead> heads;
    for (const std::size_t index : rankByMagnitude(attribution.heads))
        if (attribution.heads[index] != 0)
            heads.push_back({attribution.shape.at(static_cast<int>(index)), attribution.heads[index]});
    return heads;
}

MassCurve headMass(const Attribution& attribution, double share)
{
    std::vector<double> values;
    for (const RankedHead& head : contributingHeads(attribution))
        values.push_back(head.value);
    return massOf(values, share);
}

MassCurve edgeMass(const Attribution& attribution, double share)
{
    std::vector<double> values;
    for (const AttributionEdge& edge : attribution.edges)
        values.push_back(edge.value);
    return massOf(values, share);
}

}  // namespace hs
