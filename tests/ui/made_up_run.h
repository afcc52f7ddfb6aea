#pragma once

#include "engine/request/run_result.h"

#include <functional>

namespace hs::test {

/// The pattern of a made-up head, of a kind that models have (sinks, diagonals, previous token, diffuse,
/// induction), the same at every call. `keptShare` is the share of cells that a gate would leave; heads
/// of other variants are of the same kind with other weights. [query, key]
std::vector<float> madeUpMap(HeadId head, int tokens, double keptShare = 1, std::uint64_t variant = 0);

/// A run with these patterns: their statistics and their tiles of at most `tileSide` cells.
engine::RunResult runOf(HeadShape heads, std::vector<std::int64_t> tokens, int tileSide,
                        const std::function<std::vector<float>(HeadId)>& map);

/// A run of made-up heads, one cell per token.
engine::RunResult madeUpRun(HeadShape heads, int tokens, double keptShare = 1);

/// Every head of the run, layer by layer.
std::vector<HeadId> allHeads(const engine::RunResult& run);

}  // namespace hs::test
