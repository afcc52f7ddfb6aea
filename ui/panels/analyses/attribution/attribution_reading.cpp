#include "panels/analyses/attribution/attribution_reading.h"

#include "stats/attribution_share.h"

#include <map>

namespace hs::panels {
namespace {

MassCurve massOf(const std::vector<double>& values, double share)
{
    MassCurve curve{stats::cumulativeMass(values),
                    static_cast<int>(stats::smallestReaching(values, share).size())};
    if (curve.smallest == 0)
        curve.mass.clear();
    return curve;
}

/// The head's fewest edges, largest first, that make up the share of its absolute contributions.
std::vector<engine::AttributionEdge> carryingCells(const std::vector<engine::AttributionEdge>& edges,
                                                   double share)
{
    std::vector<double> values;
    for (const engine::AttributionEdge& edge : edges)
        values.push_back(edge.value);
    std::vector<engine::AttributionEdge> cells;
    for (const std::size_t index : stats::smallestReaching(values, share))
        cells.push_back(edges[index]);
    return cells;
}

}  // namespace

PartSums partSums(const engine::Attribution& attribution)
{
    PartSums sums;
    for (const engine::AttributionPart& part : attribution.parts)
        switch (part.kind) {
        case engine::AttributionPart::Kind::Embedding: sums.embedding += part.value; break;
        case engine::AttributionPart::Kind::Head: sums.heads += part.value; break;
        case engine::AttributionPart::Kind::Mlp: sums.mlps += part.value; break;
        case engine::AttributionPart::Kind::AttentionBias:
        case engine::AttributionPart::Kind::FinalBias: sums.biases += part.value; break;
        }
    return sums;
}

std::vector<CarryingHead> carryingHeads(const engine::Attribution& attribution, double share)
{
    std::map<HeadId, std::vector<engine::AttributionEdge>> edges;
    for (const engine::AttributionEdge& edge : attribution.edges)
        edges[edge.head].push_back(edge);
    std::vector<CarryingHead> heads;
    for (const std::size_t index : stats::smallestReaching(attribution.heads, share)) {
        const HeadId head = attribution.shape.at(static_cast<int>(index));
        heads.push_back({head, attribution.heads[index], carryingCells(edges[head], share)});
    }
    return heads;
}

std::vector<control::RankedHead> contributingHeads(const engine::Attribution& attribution)
{
    std::vector<control::RankedHead> heads;
    for (const std::size_t index : stats::rankByMagnitude(attribution.heads))
        if (attribution.heads[index] != 0)
            heads.push_back({attribution.shape.at(static_cast<int>(index)), attribution.heads[index]});
    return heads;
}

MassCurve headMass(const engine::Attribution& attribution, double share)
{
    std::vector<double> values;
    for (const control::RankedHead& head : contributingHeads(attribution))
        values.push_back(head.value);
    return massOf(values, share);
}

MassCurve edgeMass(const engine::Attribution& attribution, double share)
{
    std::vector<double> values;
    for (const engine::AttributionEdge& edge : attribution.edges)
        values.push_back(edge.value);
    return massOf(values, share);
}

}  // namespace hs::panels
