#pragma once

#include "analyses/circuit.h"
#include "base/json.h"
#include "stats/value_sums.h"

#include <string>
#include <vector>

namespace hs::app {

/// How many units the circuits of one task have in one model of the demo pair, averaged over its pairs.
struct CircuitSizes {
    stats::Estimate smallest;
    stats::Estimate refined;
};

/// The circuits of a built-in task in both models.
struct DemoCircuits {
    std::string task;
    CircuitSizes heads[2];  // dense, sparse
    CircuitSizes edges[2];
};

/// What is asked for every pair.
struct DemoCircuitOptions {
    int pairsEach = 12;
    double level = 0.9;
    analyses::CircuitRanking ranking = analyses::CircuitRanking::Restore;
    std::string device = "auto";
};

/// Circuits for indirect objects, greater than, opposites and addition on held-out pairs. Throws Failure.
std::vector<DemoCircuits> measureDemoCircuits(const DemoCircuitOptions& options);

std::string circuitsTable(const std::vector<DemoCircuits>& tasks, const DemoCircuitOptions& options);
Json toJson(const std::vector<DemoCircuits>& tasks, const DemoCircuitOptions& options);

}  // namespace hs::app
