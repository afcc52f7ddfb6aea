#include "cuda/token_losses.h"

#include <algorithm>
#include <cmath>

namespace hs::cuda {
namespace {

float logSumExp(const float* logits, int count)
{
    const float most = *std::max_element(logits, logits + count);
    double sum = 0;
    for (int i = 0; i < count; ++i)
        sum += std::exp(logits[i] - most);
    return most + static_cast<float>(std::log(sum));
}

bool isToken(const LossProblem& problem, std::int64_t target)
{
    return target >= 0 && target < problem.vocabulary;
}

}  // namespace

void tokenLossesForwardTwin(const LossProblem& problem, const LossResult& result, std::int64_t begin,
                            std::int64_t end)
{
    for (std::int64_t row = begin; row < end; ++row) {
        const float* const logits = static_cast<const float*>(problem.logits) + row * problem.vocabulary;
        const float total = logSumExp(logits, problem.vocabulary);
        const std::int64_t target = problem.targets[row];
        result.logSumExp[row] = total;
        result.crossEntropy[row] = isToken(problem, target) ? total - logits[target] : 0;
        if (!problem.teacher)
            continue;
        const float* const teacher = static_cast<const float*>(problem.teacher) + row * problem.vocabulary;
        const float teacherTotal = logSumExp(teacher, problem.vocabulary);
        double divergence = 0;
        for (int i = 0; i < problem.vocabulary; ++i) {
            const float share = std::exp(teacher[i] - teacherTotal);
            if (share > 0)
                divergence += share * ((teacher[i] - teacherTotal) - (logits[i] - total));
        }
        result.teacherLogSumExp[row] = teacherTotal;
        result.divergence[row] = static_cast<float>(divergence);
    }
}

void tokenLossesBackwardTwin(const LossProblem& problem, const LossGradient& gradient, std::int64_t begin,
                             std::int64_t end)
{
    for (std::int64_t row = begin; row < end; ++row) {
        const float* const logits = static_cast<const float*>(problem.logits) + row * problem.vocabulary;
        float* const dLogits = static_cast<float*>(gradient.dLogits) + row * problem.vocabulary;
        const std::int64_t target = problem.targets[row];
        const bool hasTarget = isToken(problem, target);
        const float dEntropy = gradient.dCrossEntropy && hasTarget ? gradient.dCrossEntropy[row] : 0;
        const float dDivergence = gradient.dDivergence && problem.teacher ? gradient.dDivergence[row] : 0;
        for (int i = 0; i < problem.vocabulary; ++i)
            dLogits[i] = (dEntropy + dDivergence) * std::exp(logits[i] - gradient.logSumExp[row]);
        if (hasTarget)
            dLogits[target] -= dEntropy;
        if (dDivergence == 0)
            continue;
        const float* const teacher = static_cast<const float*>(problem.teacher) + row * problem.vocabulary;
        for (int i = 0; i < problem.vocabulary; ++i)
            dLogits[i] -= dDivergence * std::exp(teacher[i] - gradient.teacherLogSumExp[row]);
    }
}

}  // namespace hs::cuda
