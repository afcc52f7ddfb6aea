#pragma once

#include "analyses/circuit.h"
#include "base/json.h"
#include "stats/value_sums.h"
#include "text/prompt_set.h"

#include <optional>
#include <string>
#include <vector>

namespace hs::app {

/// The circuit of one pair of prompts, or why there is none.
struct FoundCircuit {
    int index = 0;  // of the pair in its file, from 0
    Json prompts;   // its "clean" and "corrupted" tokens, "target" and "versus"
    std::optional<analyses::Circuit> circuit;
    std::string problem;  // without a circuit
};

/// What was asked for every pair of a file.
struct CircuitTask {
    std::string model;
    analyses::CircuitUnits unit = analyses::CircuitUnits::Heads;
    analyses::CircuitRanking ranking = analyses::CircuitRanking::Restore;
    double level = 0;
    bool isRefined = false;
    int pairCount = 0;  // of the whole file, even in a shard
    Json conditions;    // from conditionsOf

    friend bool operator==(const CircuitTask&, const CircuitTask&) = default;
};

/// The circuits of one model on a file of pairs: written as JSON with means over the pairs, read back by
/// merge.
struct CircuitTable {
    CircuitTask task;
    std::vector<FoundCircuit> pairs;  // by index
};

/// The tables of one model, or of a dense and a sparse one.
using CircuitTables = std::vector<CircuitTable>;

/// The pairs whose prompts are faulty.
std::vector<text::LeftOutPrompt> leftOutOf(const CircuitTable& table);

/// How many units the smallest and the refined circuits have.
stats::Estimate smallestOf(const CircuitTable& table);
stats::Estimate refinedOf(const CircuitTable& table);
/// Mean explained effect at the counts that every pair's curve has.
std::vector<analyses::CircuitPoint> meanCurve(const CircuitTable& table);

/// How many times as many units the first model needs; null if either is not known.
Json factorOf(double first, double second);

Json toJson(const CircuitTables& tables);

/// Whether JSON is one that toJson(CircuitTables) wrote.
bool isCircuitPart(const Json& json);
/// Reads what toJson wrote; `what` names it in errors. Throws Failure.
CircuitTables circuitTablesFrom(const Json& json, const std::string& what);

/// The parts of one search as a whole. Throws Failure if they do not belong together or one is missing.
CircuitTables merged(std::vector<CircuitTables> parts);

}  // namespace hs::app
