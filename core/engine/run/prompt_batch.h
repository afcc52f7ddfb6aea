#pragma once

#include "base/hooks.h"
#include "base/result.h"
#include "engine/request/run_request.h"
#include "engine/request/run_result.h"
#include "stats/map_totals.h"

#include <cstdint>
#include <span>
#include <vector>

namespace hs::engine {

/// Most prompts that go side by side with a request's, itself included; more do not make products faster. Such prompts
/// are of one length and differ in their tokens and ablations alone. 1 where they have to run alone: what they ask for
/// takes a run of its own, or this machine's products do not give a row the same bits in any place.
int promptsTogether(const RunRequest& request);

/// Whether it is less to add up the maps of such prompts than to bring them back.
bool canAddUpMaps(const RunRequest& request);

/// Runs prompts of one length side by side, as many as `promptsTogether` permits. Each result is the same whatever is
/// beside it, bit for bit, and equal to that of a run alone up to rounding. Nothing is remembered. `totals` becomes
/// the sum of all prompts' maps, whatever else is brought back; `canAddUpMaps` permitting.
Result<std::vector<RunResult>> runTogether(std::span<const RunRequest> requests, const Hooks& hooks = {},
                                           stats::MapTotals* totals = nullptr);

/// As many rows or a few more: products of so many have no last rows that are computed in another way than the others.
constexpr std::int64_t paddedRows(std::int64_t rows)
{
    constexpr std::int64_t kRows = 32;
    return (rows + kRows - 1) / kRows * kRows;
}

}  // namespace hs::engine
