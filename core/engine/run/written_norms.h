#pragma once

#include "base/head_id.h"
#include "engine/request/run_request.h"

#include <map>

namespace hs::engine {

/// How much each head and MLP of a run writes: the mean over tokens of the length of the vector that it adds to the
/// stream. `outputs` are the run's own (Capture::headOutputs). Throws Failure.
std::map<HeadId, double> writtenNorms(const RunRequest& run, const HeadOutputs& outputs);

}  // namespace hs::engine
