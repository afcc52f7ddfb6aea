#include "cuda/cpu_exponential.h"
#include "cuda/token_draw.h"

#include <algorithm>
#include <vector>

namespace hs::cuda {
namespace {

/// A token's probability beside that of the likeliest, whose logit is given.
inline float shareOf(float logit, float largest)
{
    const float below = logit - largest;
    const float share = boundedExponential(std::max(below, -kExponentialLimit));
    return below < -kExponentialLimit ? 0.0f : share;
}

}  // namespace

std::int64_t drawTokenTwin(const float* logits, std::int64_t vocabulary, double number)
{
    const auto endOf = [&](std::int64_t begin) { return std::min(begin + kTokenBlock, vocabulary); };
    float largest = logits[0];
#pragma omp simd reduction(max : largest)
    for (std::int64_t token = 0; token < vocabulary; ++token)
        largest = std::max(largest, logits[token]);
    std::vector<double> sums;  // [block]
    double total = 0;
    for (std::int64_t begin = 0; begin < vocabulary; begin += kTokenBlock) {
        float sum = 0;
        const std::int64_t end = endOf(begin);
#pragma omp simd reduction(+ : sum)
        for (std::int64_t token = begin; token < end; ++token)
            sum += shareOf(logits[token], largest);
        sums.push_back(sum);
        total += sum;
    }
    double rest = number * total;
    std::size_t block = 0;
    for (; block + 1 < sums.size() && rest >= sums[block]; ++block)
        rest -= sums[block];
    const std::int64_t begin = static_cast<std::int64_t>(block) * kTokenBlock;
    std::int64_t drawn = begin;
    for (std::int64_t token = begin; token < endOf(begin); ++token) {
        const double share = shareOf(logits[token], largest);
        if (share == 0)
            continue;
        drawn = token;  // the last with a share, should rounding leave a rest
        if (rest < share)
            break;
        rest -= share;
    }
    return drawn;
}

}  // namespace hs::cuda
