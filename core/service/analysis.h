#pragma once

#include "analyses/circuit.h"
#include "analyses/comparison.h"
#include "analyses/history.h"
#include "analyses/set_result.h"
#include "analyses/sweep.h"
#include "base/enum_words.h"
#include "engine/run/attribution.h"
#include "service/feature_graph.h"
#include "service/lens_findings.h"
#include "service/side_request.h"
#include "stats/head_scatter.h"
#include "stats/token_flow.h"

#include <array>
#include <functional>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace hs::service {

/// The questions behind the pictures, one panel each.
enum class AnalysisKind {
    Sweep,
    Circuit,
    Attribution,
    Scatter,
    Compare,
    Flow,
    Graph,
    EdgeHeads,  // of an edge of the graph; has no panel of its own
    Prompts,    // what each prompt of a set gives
    Lens,
    Saliency,   // of the prompt's tokens, beside the lens
    HeadWords,  // of the head that is looked at
    History,    // of the heads, over the training
};

constexpr auto enumWords(AnalysisKind)
{
    return std::to_array<EnumWord<AnalysisKind>>({{AnalysisKind::Sweep, "sweep"},
                                                  {AnalysisKind::Circuit, "circuit"},
                                                  {AnalysisKind::Attribution, "attribution"},
                                                  {AnalysisKind::Scatter, "scatter"},
                                                  {AnalysisKind::Compare, "compare"},
                                                  {AnalysisKind::Flow, "flow"},
                                                  {AnalysisKind::Graph, "graph"},
                                                  {AnalysisKind::EdgeHeads, "edge-heads"},
                                                  {AnalysisKind::Prompts, "prompts"},
                                                  {AnalysisKind::Lens, "lens"},
                                                  {AnalysisKind::Saliency, "saliency"},
                                                  {AnalysisKind::HeadWords, "head-words"},
                                                  {AnalysisKind::History, "history"}});
}

/// All of them, in the order of their values.
inline constexpr auto kAnalyses = [] {
    constexpr auto words = enumWords(AnalysisKind());
    std::array<AnalysisKind, words.size()> kinds{};
    for (std::size_t index = 0; index < kinds.size(); ++index)
        kinds[index] = words[index].value;
    return kinds;
}();

struct SweepSetup {
    analyses::SweepUnits units = analyses::SweepUnits::Heads;
    analyses::SweepMethod method = analyses::SweepMethod::Zero;

    friend bool operator==(const SweepSetup&, const SweepSetup&) = default;
};

struct CircuitSetup {
    analyses::CircuitUnits units = analyses::CircuitUnits::Heads;
    analyses::CircuitRanking ranking = analyses::CircuitRanking::Restore;
    double level = 0.9;
    bool isRefined = false;

    friend bool operator==(const CircuitSetup&, const CircuitSetup&) = default;
};

/// Everything a result depends on. Fields that the kind does not use keep their defaults, so that equal
/// requests have equal results. Target and distractor are those of `side`.
struct AnalysisRequest {
    AnalysisKind kind = AnalysisKind::Sweep;
    SideRequest side;
    std::optional<SideRequest> other;  // for Compare: the right side; `side` is the left one
    std::string corrupted;             // prompt for Circuit, and for a Sweep that resamples
    SweepSetup sweep;
    CircuitSetup circuit;
    std::vector<HeadId> heads;  // for Scatter; for HeadWords the one
    double threshold = 0;       // for Flow
    bool hasRollout = false;    // for Flow
    GraphSetup graph;           // for Graph and EdgeHeads
    SetSource set;              // for Prompts
    LensSetup lens;             // for Lens, Saliency and HeadWords

    friend bool operator==(const AnalysisRequest&, const AnalysisRequest&) = default;
};

using AnalysisResult =
    std::variant<analyses::Sweep, analyses::Circuit, engine::Attribution, stats::HeadScatter,
                 analyses::Comparison, stats::TokenFlow, FeatureGraph, features::EdgeHeads,
                 analyses::SetResult, PromptLens, engine::Saliency, HeadWords, analyses::History>;

/// A result worth showing before it is complete; called on the worker thread.
using OnAnalysisPart = std::function<void(AnalysisResult)>;

/// Whether it takes transcoders.
constexpr bool readsFeatures(AnalysisKind kind)
{
    return kind == AnalysisKind::Graph || kind == AnalysisKind::EdgeHeads;
}

/// Whether it compares with a second prompt.
bool readsCorrupted(const AnalysisRequest& request);

/// One sentence with the remedy if a request is known to fail before it runs: a text that is not a token,
/// no corrupted prompt, no transcoders. Empty if nothing is known against it.
std::string problemOf(const AnalysisRequest& request);

/// Text that is equal for equal questions about equal models, wherever their files are: the key of
/// results kept in memory and in sessions.
std::string keyOf(const AnalysisRequest& request);

}  // namespace hs::service
