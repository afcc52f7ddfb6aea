#pragma once

#include "cuda/stream.h"

namespace hs::cuda {

struct LossProblem {
    std::int64_t rows = 0;
    int vocabulary = 0;
    Precision precision = Precision::Float;
    const void* logits = nullptr;           // [row, vocabulary]
    const void* teacher = nullptr;          // [row, vocabulary]; null without one
    const std::int64_t* targets = nullptr;  // [row]; outside the vocabulary: no cross entropy
};

struct LossResult {
    float* crossEntropy = nullptr;      // [row]
    float* divergence = nullptr;        // [row], KL(teacher || student)
    float* logSumExp = nullptr;         // [row]
    float* teacherLogSumExp = nullptr;  // [row]
};

struct LossGradient {
    const float* logSumExp = nullptr;
    const float* teacherLogSumExp = nullptr;
    const float* dCrossEntropy = nullptr;  // [row]; null: zero
    const float* dDivergence = nullptr;    // [row]; null: zero
    void* dLogits = nullptr;               // as the logits
};

/// Logits are read once forward and once backward.
void tokenLossesForward(const LossProblem& problem, const LossResult& result, Stream stream);
void tokenLossesBackward(const LossProblem& problem, const LossGradient& gradient, Stream stream);

/// The twins, for rows [begin, end) in float.
void tokenLossesForwardTwin(const LossProblem& problem, const LossResult& result, std::int64_t begin,
                            std::int64_t end);
void tokenLossesBackwardTwin(const LossProblem& problem, const LossGradient& gradient, std::int64_t begin,
                             std::int64_t end);

}  // namespace hs::cuda
