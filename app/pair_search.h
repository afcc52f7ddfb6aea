#pragma once

#include "arguments.h"
#include "circuit_table.h"
#include "engine/circuit.h"
#include "prompt_file.h"
#include "workspace.h"

#include <memory>
#include <string>
#include <vector>

namespace hs {

/// What circuits are asked for, as the user typed it.
struct CircuitOptions {
    RunArguments run;
    bool withoutBos = false;
    double level = 0.9;
    CircuitUnits units = CircuitUnits::Heads;
    CircuitRanking ranking = CircuitRanking::Restore;
    bool isRefined = false;
};

/// A model and the engine its circuits are searched with.
struct CircuitModel {
    Workspace workspace;
    std::unique_ptr<Engine> engine = std::make_unique<Engine>();
};

/// The request for a pair, checked as far as that goes without running it. Throws Failure.
CircuitRequest circuitRequest(CircuitModel& model, const PairLine& pair, const CircuitOptions& options);

/// The tokens of a pair and what is read, for JSON.
Json promptsOf(const CircuitRequest& request, const Tokenizer* tokenizer);

/// Whether heads carry only a part of the difference, because the prompts end in different tokens.
bool endsApart(const Circuit& circuit);

/// The pairs of a file, of which a shard has some, on one or two models. All are checked before the first
/// is run. What was found until Ctrl-C is in the tables, and `isStopped` says so.
struct PairSearch {
    CircuitTables tables;
    bool isStopped = false;
};
PairSearch searchPairs(std::vector<CircuitModel>& models, const std::string& file, const Shard& shard,
                       const CircuitOptions& options);

}  // namespace hs
