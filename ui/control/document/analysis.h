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

/// Everything a result depends on. What the kind does not use is left as it is by default, so that
/// equal requests have equal results. Target and distractor are those of `side`.
struct AnalysisRequest {
    AnalysisKind kind = AnalysisKind::Sweep;
    SideRequest side;
    std::optional<SideRequest> other;  // of Compare: the right side, where `side` is the left one
    std::string corrupted;             // prompt of Circuit, and of a Sweep that resamples
    SweepSetup sweep;
    CircuitSetup circuit;
    std::vector<HeadId> heads;  // of Scatter
    double threshold = 0;       // of Flow

    friend bool operator==(const AnalysisRequest&, const AnalysisRequest&) = default;
};

using AnalysisResult = std::variant<analyses::Sweep, analyses::Circuit, engine::Attribution,
                                    stats::HeadScatter, analyses::Comparison, stats::TokenFlow>;

/// What an analysis found out. Immutable and shared.
struct Finding {
    AnalysisRequest request;
    std::shared_ptr<const AnalysisResult> result;  // never null
    bool isPartial = false;                        // it is under way, or was stopped
};

/// A result under the key of its request: what is kept of it without the model. What has the same key
/// is the same.
struct KeptResult {
    std::string key;
    std::shared_ptr<const AnalysisResult> result;

    friend bool operator==(const KeptResult& a, const KeptResult& b) { return a.key == b.key; }
};

/// A result worth showing before it is complete; called on the worker thread.
using OnAnalysisPart = std::function<void(AnalysisResult)>;

/// What the document asks an analysis of a side; Compare is asked of the left side alone. None while
/// a model that it needs is missing.
using OpenModels = std::array<std::shared_ptr<const OpenModel>, 2>;  // [Side]
std::optional<AnalysisRequest> analysisRequest(const Document& document, AnalysisKind kind, Side side,
                                               const OpenModels& models);

/// One sentence with the remedy where a request cannot be run, known without running it: no target
/// where one is needed, no corrupted prompt. Empty: nothing known against it.
QString problemOf(const AnalysisRequest& request);

/// Text that is equal for equal questions about equal models, wherever they lie: what results are kept
/// under, in memory and in sessions.
std::string keyOf(const AnalysisRequest& request);

/// A head and its weight in a result.
struct RankedHead {
    HeadId head;
    double value = 0;

    friend bool operator==(const RankedHead&, const RankedHead&) = default;
};

/// Heads of a result that do anything, the most important first: by |change of the logit difference|,
/// |effect|, |contribution|, distance. Of cells, a head has its best one's. None for Scatter and Flow.
std::vector<RankedHead> ranking(const AnalysisResult& result);

/// The heads that a result picks out: of a circuit its smallest one (the refined one where there is
/// one), of an attribution those that carry `setup.share`; else none.
std::vector<HeadId> chosenHeads(const AnalysisResult& result, const AnalysisSetup& setup);

}  // namespace hs::control
