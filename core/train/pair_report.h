#pragma once

#include "analyses/circuit.h"
#include "base/head_id.h"
#include "base/json.h"
#include "text/prompt_pairs.h"
#include "train/held_out.h"

#include <array>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace hs::train {

/// One of the two models of a report.
struct ReportModel {
    std::string name;
    HeadShape heads;
    std::optional<double> gateBias;
};

/// Both models on passages of one length that begin in one way.
struct TextReport {
    std::string firstToken;  // what every passage begins with; empty: with its own first token
    int length = 0;          // tokens, the first one included
    int passages = 0;
    PairMeasure measure;
};

/// How a model answers the prompts of a task.
struct TaskScore {
    double accuracy = 0;         // share of prompts whose target has a larger logit than what is wrong
    double top = 0;              // share of prompts whose likeliest token is a right answer
    double logitDifference = 0;  // mean, target − versus
};

/// The smallest circuits of one kind, over the same pairs of prompts.
struct CircuitReport {
    std::array<std::vector<int>, 2> sizes;  // [dense, sparse][pair]

    double mean(std::size_t model) const;  // NaN without pairs
    /// How many times as many units the dense model needs; NaN if either is not known.
    double factor() const;
};

/// Both models on a task.
struct TaskReport {
    text::PairTask task = text::PairTask::IndirectObjects;
    std::string problem;     // why it was left out; empty: it was not
    std::string firstToken;  // that was put before the prompts, whether or not the tokenizer does so
    int prompts = 0;
    std::array<TaskScore, 2> scores;  // [dense, sparse]
    std::vector<int> pairs;           // those whose circuits were searched: the first that both models answer
    CircuitReport heads;
    CircuitReport edges;
};

/// How far a head's patterns are from those of its counterpart.
struct MovedHead {
    HeadId head;
    double distance = 0;  // total variation, mean over rows and passages
};

/// All heads, those that moved most first; none if the models have heads of other names.
struct MovedHeads {
    int passages = 0;
    int length = 0;  // tokens of the longest
    std::vector<MovedHead> heads;
};

/// How a sparse model compares with the dense one that it was made from.
struct PairReport {
    std::array<ReportModel, 2> models;  // dense, sparse
    std::string source;                 // of the text: "wiki.txt", "written by SmolLM2, seed 1"
    std::int64_t tokens = 0;            // of the text
    std::vector<TextReport> texts;      // by beginning, then by length
    MovedHeads moved;
    std::vector<TaskReport> tasks;
    double level = 0.9;  // explained effect that circuits reach
    analyses::CircuitRanking ranking = analyses::CircuitRanking::Gradient;
    std::vector<std::pair<std::string, double>> seconds;  // that each part took

    /// One for each way in which passages begin: at the length at which models are judged.
    std::vector<const TextReport*> judged() const;
};

/// [layer] Mean over its heads.
std::vector<double> layerDensity(const HeldOutMeasure& measure, const HeadShape& heads);

Json toJson(const PairReport& report);
/// Reads what toJson wrote; `source` names it in errors. Throws Failure.
PairReport pairReportFrom(const Json& json, const std::string& source);

}  // namespace hs::train
