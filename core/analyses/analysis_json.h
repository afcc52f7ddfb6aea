#pragma once

#include "analyses/cell_sweep.h"
#include "analyses/circuit.h"
#include "analyses/comparison.h"
#include "analyses/sweep.h"
#include "base/json_reader.h"
#include "engine/run/attribution.h"
#include "stats/head_scatter.h"
#include "stats/token_flow.h"

#include <vector>

namespace hs::analyses {

/// Results of analyses as JSON, for files, sessions and the command line. NaN, which JSON lacks, is null.
/// "layer", and "head" or "kv_group".
Json toJson(const SweepUnit& unit, SweepUnits kind);
Json toJson(const Sweep& sweep);
Json toJson(const CellSweep& sweep);
Json toJson(const Circuit& circuit);
Json toJson(const engine::Attribution& attribution);
Json toJson(const stats::HeadScatter& scatter);
Json toJson(const Comparison& comparison);
/// How far apart the heads of each layer are.
Json layersJson(const Comparison& comparison);
Json toJson(const stats::TokenFlow& flow);
Json toJson(const stats::ModelSummary& summary);

/// The part of a circuit's JSON about its curve: "unit", "curve", "level" and "smallest".
Json curveJson(const Circuit& circuit);
Json toJson(const std::vector<CircuitPoint>& curve);

/// Read back what toJson wrote, from JSON that anybody may have changed since. Throw Failure.
Sweep sweepFrom(const JsonReader& reader);
Circuit circuitFrom(const JsonReader& reader);
/// The "curve" of a circuit with at most so many units.
std::vector<CircuitPoint> curveFrom(const JsonReader& reader, int mostUnits);

}  // namespace hs::analyses
