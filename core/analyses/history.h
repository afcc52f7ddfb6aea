#pragma once

#include "base/hooks.h"
#include "engine/run/engine.h"
#include "model/revisions/revisions.h"
#include "stats/metric_table.h"

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace hs::analyses {

/// All heads on one prompt, at one step of the training.
struct HistoryPoint {
    std::int64_t step = 0;
    std::optional<double> loss;  // none for one token
    double density = 1;
    std::vector<stats::HeadStats> stats;  // [layer * head]
};

/// A revision that could not be run, and why.
struct LeftOutRevision {
    std::int64_t step = 0;
    std::string problem;
};

/// What became of heads while a model was trained.
struct History {
    HeadShape heads;
    int asked = 0;                     // revisions
    std::vector<HistoryPoint> points;  // in the order of steps
    std::vector<LeftOutRevision> leftOut;
};

/// Opens a revision and says what is to be run of it.
using RevisionRequest = std::function<engine::RunRequest(const model::Revision&)>;

/// Runs each revision by itself and lets go of it. One that cannot be run, or has other heads than most of those before
/// it, is left out. `onPart` receives what is known so far.
Result<History> historyOf(const std::vector<model::Revision>& revisions, const RevisionRequest& requestOf,
                          const Hooks& hooks = {}, const std::function<void(const History&)>& onPart = {});

/// A head's metric at each point.
std::vector<double> curveOf(const History& history, HeadId head, const stats::Metric& metric);

/// The point by which a curve has changed most since the one before; none where nothing changes.
std::optional<std::size_t> jumpOf(std::span<const double> curve);

/// A head, and how far its metric jumps.
struct HeadJump {
    HeadId head;
    double change = 0;
};

/// The heads whose metric changes at all, the largest jump between two points first.
std::vector<HeadJump> mostChanged(const History& history, const stats::Metric& metric);

}  // namespace hs::analyses
