#pragma once

#include "control/document/analysis_setup.h"

#include <memory>
#include <string>
#include <vector>

namespace hs::control {

/// What an analysis found. Immutable and shared.
struct Finding {
    service::AnalysisRequest request;
    std::shared_ptr<const service::AnalysisResult> result;  // never null
    bool isPartial = false;                                 // it is under way, or was stopped
};

/// A result under the key of its request: what is kept of it without the model. Equal keys mean equal
/// results.
struct KeptResult {
    std::string key;
    std::shared_ptr<const service::AnalysisResult> result;

    friend bool operator==(const KeptResult& a, const KeptResult& b) { return a.key == b.key; }
};

/// A head and its weight in a result.
struct RankedHead {
    HeadId head;
    double value = 0;

    friend bool operator==(const RankedHead&, const RankedHead&) = default;
};

/// The heads of a result that have any effect, most important first: by |change of the logit difference|,
/// |effect|, |contribution|, distance, |load|, or by how far `setup.historyMetric` jumps. For cells, a head counts by its
/// best one. None for Scatter, Flow and Graph.
std::vector<RankedHead> ranking(const service::AnalysisResult& result, const AnalysisSetup& setup = {});

/// The heads that a result singles out: for a circuit, its smallest one (the refined one if there is one);
/// for an attribution and for an edge, those that carry `setup.share`; otherwise none.
std::vector<HeadId> chosenHeads(const service::AnalysisResult& result, const AnalysisSetup& setup);

}  // namespace hs::control
