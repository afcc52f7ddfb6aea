#pragma once

#include "engine/run/engine.h"
#include "service/analysis.h"

#include <string>

namespace hs::service {

// Some of what one can ask of a model takes an engine to compute it, which maps from a file do not have. One
// sentence with the remedy why it cannot be had, for a tool tip or an error; empty if it can.

/// Another prompt, ablation, a gate, predictions, a target.
std::string whyNoRun(const OpenModel& model);
/// Maps or tiles of this kind.
std::string whyNotPossible(const OpenModel& model, engine::MapKind kind);
std::string whyNotPossible(const OpenModel& model, AnalysisKind kind);

}  // namespace hs::service
