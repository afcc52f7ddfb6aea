#pragma once

#include "base/cell_id.h"
#include "base/enum_words.h"
#include "base/hooks.h"
#include "base/result.h"
#include "engine/run/engine.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

namespace hs::analyses {

enum class CircuitUnits {
    Heads,
    Edges,  // single cells of their patterns
    Paths,  // from heads to inputs of later heads and to the logits
    HeadsAndMlps,
};

enum class CircuitRanking {
    Restore,  // by what each clean unit alone does in the corrupted run
    Remove,   // by what each corrupted unit alone does in the clean run
    Gradient,  // by an estimate of `Restore` for all of them: to first order, for paths by integrated gradients
};

constexpr auto enumWords(CircuitUnits)
{
    return std::to_array<EnumWord<CircuitUnits>>({{CircuitUnits::Heads, "heads"},
                                                  {CircuitUnits::Edges, "edges"},
                                                  {CircuitUnits::Paths, "paths"},
                                                  {CircuitUnits::HeadsAndMlps, "heads+mlps"}});
}
constexpr auto enumWords(CircuitRanking)
{
    return std::to_array<EnumWord<CircuitRanking>>({{CircuitRanking::Restore, "restore"},
                                                    {CircuitRanking::Remove, "remove"},
                                                    {CircuitRanking::Gradient, "gradient"}});
}

/// Asks which heads (and MLPs), which cells of their patterns, or which paths between them carry the difference between two
/// prompts of equal length: `clean`, which the model answers with `target`, and `corrupted`, which lacks what it needs.
struct CircuitRequest {
    engine::RunRequest clean;  // its Capture::position says where the metric is read; none: the last one
    engine::RunRequest corrupted;
    std::int64_t target = 0;
    std::optional<std::int64_t> versus;  // none: the target's logit alone is the metric
    double level = 0.9;                  // explained effect that the smallest circuit reaches
    CircuitUnits units = CircuitUnits::Heads;
    CircuitRanking ranking = CircuitRanking::Restore;
    bool isRefined = false;  // drops from the smallest circuit units not needed to reach the level
};

/// A head or MLP, one cell of a head's pattern or one path from it, and what it does alone. Along a path, only what its receiver
/// reads is clean, or corrupted; see engine::PathRequest.
struct CircuitUnit {
    HeadId head;
    std::optional<CellId> cell;  // none: the whole head
    /// What it brings to the corrupted run when it is clean there, as a share of the way from corrupted
    /// to clean.
    double effect = 0;
    /// What it takes from the clean run when it is corrupted there, as a share of the same way; NaN
    /// where it was not measured.
    double removal = 0;
    std::optional<engine::PathEnd> to = {};  // set: only the path to it

    friend bool operator==(const CircuitUnit&, const CircuitUnit&) = default;
};

/// How far estimates are from what patching gives, over a sample of units: half of it the largest, half spread over
/// the rest.
struct EstimateCheck {
    int sampled = 0;
    double largestError = 0;     // of effects
    double rankCorrelation = 0;  // Spearman's; NaN where ranks say nothing

    friend bool operator==(const EstimateCheck&, const EstimateCheck&) = default;
};

struct CircuitPoint {
    int kept = 0;
    double effect = 0;  // explained

    friend bool operator==(const CircuitPoint&, const CircuitPoint&) = default;
};

/// The explained effect of n units: the clean prompt is run with all but the n best units' outputs
/// taken from the corrupted run, and (metric − none) / (clean − none) says how much of the clean
/// metric is left, `none` being the metric with no unit kept, so nothing explains 0 and everything 1.
/// With no head kept the last position sees its own token and corrupted outputs alone: `none` is the
/// corrupted metric whenever both prompts end in the same token. Paths are ranked only: they have no curve, `none` is
/// the corrupted metric, and of effect and removal the one that the ranking asks for is measured.
struct Circuit {
    HeadShape shape;
    int tokens = 0;
    CircuitUnits kind = CircuitUnits::Heads;
    CircuitRanking ranking = CircuitRanking::Restore;
    double clean = 0;  // logit of target − that of versus where it is read
    double corrupted = 0;
    double none = 0;
    std::vector<CircuitUnit> units;   // all, the largest |effect| by the requested ranking first: a unit
                                      // that pulls the other way is also part of how the model works
    std::vector<CircuitPoint> curve;  // from 0 to all units; with many units not every count
    double level = 0;
    int smallest = 0;          // the first count on the curve that reaches the level
    std::vector<int> refined;  // ranks in `units` of the refined circuit; empty unless asked for
    std::optional<EstimateCheck> check = {};  // of paths that are ranked by estimates
};

/// The most units that are measured by patching each alone. If more differ between the runs, as cells and
/// paths can, the gradient chooses these; the rest keep their estimates and rank behind them.
inline constexpr std::size_t kMostMeasured = 20'000;

/// Receives what is known so far: first the ranking as it grows, then the points of the curve, the
/// refined circuit as it shrinks, and what the units do the other way round.
using CircuitNews = std::function<void(const Circuit&)>;

/// Patches each unit that differs between the runs by itself, both ways, and runs the points of the curve.
/// Units with identical bits in both have no effect and are not run. With `Gradient`, effects and removals
/// are estimates.
Result<Circuit> findCircuit(engine::Engine& engine, const CircuitRequest& request, const Hooks& hooks = {},
                            const CircuitNews& news = {});

}  // namespace hs::analyses
