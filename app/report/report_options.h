#pragma once

#include "analyses/circuit.h"
#include "app/support/arguments.h"
#include "text/prompt_pairs.h"

#include <cstdint>
#include <string>
#include <vector>

namespace hs::app {

/// What a report is asked to measure.
struct ReportOptions {
    engine::ModelArguments dense;
    engine::ModelArguments sparse;
    PromptArguments text;  // none: the dense model writes one
    RunArguments run;      // the gate is the sparse model's
    int passages = 8;
    std::uint64_t seed = 1;  // of what is written and asked
    std::vector<text::PairTask> tasks;
    bool startsPrompts = false;  // puts the first token before prompts of tasks, whatever the tokenizer does
    int prompts = 20;            // of each task
    int pairs = 2;               // of each task whose circuits are searched
    double level = 0.9;
    analyses::CircuitRanking ranking = analyses::CircuitRanking::Gradient;
};

/// Reads "opposites,induction" or "none". Throws Failure.
std::vector<text::PairTask> parseTasks(const std::string& list);

}  // namespace hs::app
