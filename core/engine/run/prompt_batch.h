#pragma once

#include "base/hooks.h"
#include "base/result.h"
#include "engine/request/run_request.h"
#include "engine/request/run_result.h"

#include <cstdint>
#include <span>
#include <vector>

namespace hs::engine {

/// Most tokens of prompts side by side; more do not make products faster.
inline constexpr std::int64_t kMostRowsTogether = 512;

/// Whether a request's prompt can go through the decoder beside others that differ in their tokens alone: on a
/// processor whose products give a row the same bits in any place.
bool canRunTogether(const RunRequest& request);

/// Runs prompts of one length side by side, `canRunTogether` permitting. Each result is the same whatever is beside
/// it, bit for bit, and equal to that of a run alone up to rounding. Nothing is remembered.
Result<std::vector<RunResult>> runTogether(std::span<const RunRequest> requests, const Hooks& hooks = {});

/// As many rows or a few more: products of so many have no last rows that are computed in another way than the others.
constexpr std::int64_t paddedRows(std::int64_t rows)
{
    constexpr std::int64_t kRows = 32;
    return (rows + kRows - 1) / kRows * kRows;
}

}  // namespace hs::engine
