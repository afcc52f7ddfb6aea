#pragma once

#include "cuda/attention_training.h"

namespace hs::cuda {

/// The parts of attentionBackward, each a kernel; they need gradient.delta.
void attentionBackwardOfQueries(const AttentionProblem& problem, const AttentionGradient& gradient,
                                bool isVector, Stream stream);
void attentionBackwardOfKeys(const AttentionProblem& problem, const AttentionGradient& gradient,
                             bool isVector, Stream stream);

}  // namespace hs::cuda
