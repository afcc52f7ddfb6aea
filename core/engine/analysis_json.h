#pragma once

#include "analysis/head_scatter.h"
#include "analysis/token_flow.h"
#include "base/json.h"
#include "engine/attribution.h"
#include "engine/circuit.h"
#include "engine/comparison.h"
#include "engine/sweep.h"

#include <string>

namespace hs {

/// Results of analyses as JSON, for files, sessions and the command line. What is written is read back
/// as the same value; NaN, which JSON lacks, is null.
Json toJson(const Sweep& sweep);
Json toJson(const Circuit& circuit);
Json toJson(const Attribution& attribution);
Json toJson(const HeadScatter& scatter);
Json toJson(const Comparison& comparison);
Json toJson(const TokenFlow& flow);
Json toJson(const ModelSummary& summary);

/// Read what toJson wrote, which anybody may have changed since; `what` names the source in errors
/// ("sweep.json"). Throw Failure.
Sweep sweepFrom(const Json& json, const std::string& what);
Circuit circuitFrom(const Json& json, const std::string& what);
Attribution attributionFrom(const Json& json, const std::string& what);
HeadScatter scatterFrom(const Json& json, const std::string& what);
Comparison comparisonFrom(const Json& json, const std::string& what);
TokenFlow flowFrom(const Json& json, const std::string& what);

}  // namespace hs
