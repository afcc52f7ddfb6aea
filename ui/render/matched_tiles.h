#pragma once

#include "engine/request/run_result.h"
#include "text/token_match.h"

#include <memory>
#include <optional>
#include <vector>

namespace hs::render {

/// For each token of a text, those of another that stand for it; none: there are none. Along each axis.
struct TokenPlaces {
    std::vector<std::optional<text::TokenSpan>> queries;
    std::vector<std::optional<text::TokenSpan>> keys;
};

/// A run's tiles as if it had run the other text: each cell is the largest of those that stand for it, 0 if there are
/// none. `rows` and `columns` are the size of the tiles made.
engine::RunResult atPlaces(const engine::RunResult& run, const TokenPlaces& places, int rows, int columns);

}  // namespace hs::render
