#pragma once

#include "analyses/history.h"
#include "base/json.h"
#include "engine/request/run_result.h"

#include <string>

namespace hs::app {

/// The metrics of every head on one prompt: density and a row a head.
Json metricsJson(const engine::RunResult& result);
/// A row a head.
std::string metricsCsv(const engine::RunResult& result);
/// A row a head and step.
std::string metricsCsv(const analyses::History& history);

}  // namespace hs::app
