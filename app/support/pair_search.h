#pragma once

#include "analyses/circuit.h"
#include "app/support/arguments.h"
#include "app/support/circuit_table.h"
#include "app/support/prompt_file.h"
#include "app/support/workspace.h"

#include <memory>
#include <string>
#include <vector>

namespace hs::app {

/// Which circuits to search for, as the user typed it.
struct CircuitOptions {
    RunArguments run;
    bool withoutBos = false;
    double level = 0.9;
    analyses::CircuitUnits units = analyses::CircuitUnits::Heads;
    analyses::CircuitRanking ranking = analyses::CircuitRanking::Restore;
    bool isRefined = false;
};

/// A model and the engine for searching its circuits.
struct CircuitModel {
    engine::Workspace workspace;
    std::unique_ptr<engine::Engine> engine = std::make_unique<engine::Engine>();
};

/// The request for a pair, checked as far as possible without running it. Throws Failure.
analyses::CircuitRequest circuitRequest(CircuitModel& model, const text::SetPrompt& pair,
                                        const CircuitOptions& options);

/// The tokens of a pair and what is read, for JSON.
Json promptsOf(const analyses::CircuitRequest& request, const text::Tokenizer* tokenizer);

/// Whether heads carry only a part of the difference, because the prompts end in different tokens.
bool endsApart(const analyses::Circuit& circuit);

/// The circuits of a set's pairs, or of a shard of them, on one or two models; a faulty pair has its problem instead. After Ctrl-C the tables have what was found so far, and `isStopped` is set.
struct PairSearch {
    CircuitTables tables;
    bool isStopped = false;
};
PairSearch searchPairs(std::vector<CircuitModel>& models, const std::string& file, const Shard& shard,
                       const CircuitOptions& options);

}  // namespace hs::app
