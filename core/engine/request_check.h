#pragma once

#include "engine/run_request.h"

namespace hs {

/// Refuses, with the remedy, a request that the model cannot run or the machine cannot hold.
/// Throws Failure.
void checkRequest(const RunRequest& request);

}  // namespace hs
