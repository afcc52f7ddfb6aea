#include "cuda/logit_sum.h"

#include <algorithm>
#include <cmath>

namespace hs::cuda {

void sumLogitsTwin(const LogitProblem& problem)
{
    const auto* const logits = static_cast<const float*>(problem.logits);
    std::copy_n(logits, problem.vocabulary, problem.result);
    const float largest = *std::max_element(logits, logits + problem.vocabulary);
    double sum = 0;
    for (int token = 0; token < problem.vocabulary; ++token)
        sum += std::exp(static_cast<double>(logits[token]) - largest);
    problem.result[problem.vocabulary] = static_cast<float>(largest + std::log(sum));
}

}  // namespace hs::cuda
