#pragma once

#include "engine/device/placement.h"
#include "engine/request/run_request.h"

namespace hs::engine {

/// Whether every device of the model has room for the run, as far as forecasts tell.
bool hasRoom(const RunRequest& request, const FreeMemory& freeOn = freeNow);

/// Refuses a run that has no room, with the length that would. Throws Failure.
void requireRoom(const RunRequest& request, const FreeMemory& freeOn = freeNow);

/// The most tokens, of those that the model reads, for which the same run would have room; 0 for none.
std::int64_t lengthWithRoom(const RunRequest& request, const FreeMemory& freeOn = freeNow);

/// Says what to do about a run that ran out of memory although it was let through. Throws Failure.
[[noreturn]] void failForMemory(const RunRequest& request, const std::string& detail,
                                const FreeMemory& freeOn = freeNow);

}  // namespace hs::engine
