#pragma once

#include "cuda/attention_training.h"

namespace hs::cuda {

/// Shared memory of either part: tiles of what its rows and its columns have of queries and gradients, or of
/// keys and values.
template <class Form>
constexpr std::size_t kBackwardBytes = 2 * (Form::kRowTile + Form::kColTile) * sizeof(typename Form::Number);

/// The parts of attentionBackward, each a kernel; they need gradient.delta.
void attentionBackwardOfQueries(const AttentionProblem& problem, const AttentionGradient& gradient,
                                bool isVector, Stream stream);
void attentionBackwardOfKeys(const AttentionProblem& problem, const AttentionGradient& gradient,
                             bool isVector, Stream stream);

}  // namespace hs::cuda
