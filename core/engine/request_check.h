#pragma once

#include "engine/run_request.h"

namespace hs {

/// Refuses, with the remedy, a request that the model cannot run or the machine cannot hold.
/// Throws Failure.
void checkRequest(const RunRequest& request);

/// Refuses a position that the request's prompt does not have. Throws Failure.
void checkPosition(const RunRequest& request, int position);

}  // namespace hs
