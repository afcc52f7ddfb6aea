#pragma once

#include "analyses/history.h"
#include "analyses/written_units.h"
#include "base/json.h"
#include "engine/request/run_result.h"

#include <string>

namespace hs::app {

/// The metrics of every head on one prompt: density and a row a head; with `written` also what it writes, and a row an
/// MLP.
Json metricsJson(const engine::RunResult& result, const analyses::WrittenUnits* written = nullptr);
/// A row a head; with `written` more columns, and behind each layer's heads a row for its MLP, which has no pattern.
std::string metricsCsv(const engine::RunResult& result, const analyses::WrittenUnits* written = nullptr);
/// A row a head and step.
std::string metricsCsv(const analyses::History& history);

}  // namespace hs::app
