#pragma once

#include "control/document/findings.h"

namespace hs::panels {

/// Sums of the parts of a logit; together they make up the logit.
struct PartSums {
    double embedding = 0;
    double heads = 0;
    double mlps = 0;
    double biases = 0;

    double total() const { return embedding + heads + mlps + biases; }
};

PartSums partSums(const engine::Attribution& attribution);

/// A head of the smallest set that carries a share, and the cells through which it reads its contribution.
struct CarryingHead {
    HeadId head;
    double value = 0;
    std::vector<engine::AttributionEdge> cells;  // largest first; they make up the share of what it reads
};

/// The fewest heads that make up at least `share` of all heads' absolute contributions, largest first.
std::vector<CarryingHead> carryingHeads(const engine::Attribution& attribution, double share);

/// Heads that contribute anything, largest first.
std::vector<control::RankedHead> contributingHeads(const engine::Attribution& attribution);

/// How much of the absolute mass the first n heads, or edges, of a side make up.
struct MassCurve {
    std::vector<double> mass;  // [n - 1]
    int smallest = 0;          // the fewest that make up the share; 0: there is nothing to share

    friend bool operator==(const MassCurve&, const MassCurve&) = default;
};

MassCurve headMass(const engine::Attribution& attribution, double share);
MassCurve edgeMass(const engine::Attribution& attribution, double share);

}  // namespace hs::panels
