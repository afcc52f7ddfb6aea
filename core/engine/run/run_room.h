#pragma once

#include "engine/device/placement.h"
#include "engine/request/run_request.h"

namespace hs::engine {

/// Whether every device of the model has room for the run, according to the forecast.
bool hasRoom(const RunRequest& request, const FreeMemory& freeOn = freeNow);

/// Refuses a run that does not fit, naming the length that would. Throws Failure.
void requireRoom(const RunRequest& request, const FreeMemory& freeOn = freeNow);

/// The most tokens, within the model's limit, for which the same run would fit; 0 for none.
std::int64_t lengthWithRoom(const RunRequest& request, const FreeMemory& freeOn = freeNow);

/// Reports what to do about a run that was let through and still ran out of memory. Throws Failure.
[[noreturn]] void failForMemory(const RunRequest& request, const std::string& detail,
                                const FreeMemory& freeOn = freeNow);

}  // namespace hs::engine
