#pragma once

#include "analyses/comparison.h"
#include "control/document/analysis_setup.h"
#include "control/document/side_request.h"
#include "engine/run/attribution.h"
#include "stats/head_scatter.h"
#include "stats/token_flow.h"

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace hs::control {

/// Everything a result depends on. Fields that the kind does not use keep their defaults, so that equal
/// requests have equal results. Target and distractor are those of `side`.
struct AnalysisRequest {
    AnalysisKind kind = AnalysisKind::Sweep;
    SideRequest side;
    std::optional<SideRequest> other;  // for Compare: the right side; `side` is the left one
    std::string corrupted;             // prompt for Circuit, and for a Sweep that resamples
    SweepSetup sweep;
    CircuitSetup circuit;
    std::vector<HeadId> heads;  // for Scatter
    double threshold = 0;       // for Flow

    friend bool operator==(const AnalysisRequest&, const AnalysisRequest&) = default;
};

using AnalysisResult = std::variant<analyses::Sweep, analyses::Circuit, engine::Attribution,
                                    stats::HeadScatter, analyses::Comparison, stats::TokenFlow>;

/// What an analysis found. Immutable and shared.
struct Finding {
    AnalysisRequest request;
    std::shared_ptr<const AnalysisResult> result;  // never null
    bool isPartial = false;                        // it is under way, or was stopped
};

/// A result under the key of its request: what is kept of it without the model. Equal keys mean equal
/// results.
struct KeptResult {
    std::string key;
    std::shared_ptr<const AnalysisResult> result;

    friend bool operator==(const KeptResult& a, const KeptResult& b) { return a.key == b.key; }
};

/// A result worth showing before it is complete; called on the worker thread.
using OnAnalysisPart = std::function<void(AnalysisResult)>;

/// What the document asks of an analysis for a side; Compare exists for the left side only. None while
/// a model that it needs is missing.
using OpenModels = std::array<std::shared_ptr<const OpenModel>, 2>;  // [Side]
std::optional<AnalysisRequest> analysisRequest(const Document& document, AnalysisKind kind, Side side,
                                               const OpenModels& models);

/// One sentence with the remedy if a request is known to fail before it runs: a text that is not a token,
/// no corrupted prompt. Empty if nothing is known against it.
QString problemOf(const AnalysisRequest& request);

/// Text that is equal for equal questions about equal models, wherever their files are: the key of
/// results kept in memory and in sessions.
std::string keyOf(const AnalysisRequest& request);

/// A head and its weight in a result.
struct RankedHead {
    HeadId head;
    double value = 0;

    friend bool operator==(const RankedHead&, const RankedHead&) = default;
};

/// The heads of a result that have any effect, most important first: by |change of the logit difference|,
/// |effect|, |contribution|, distance. For cells, a head counts by its best one. None for Scatter and Flow.
std::vector<RankedHead> ranking(const AnalysisResult& result);

/// The heads that a result singles out: for a circuit, its smallest one (the refined one if there is one);
/// for an attribution, those that carry `setup.share`; otherwise none.
std::vector<HeadId> chosenHeads(const AnalysisResult& result, const AnalysisSetup& setup);

}  // namespace hs::control
