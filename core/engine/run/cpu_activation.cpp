#include "engine/run/cpu_activation.h"

#include "cuda/cpu_exponential.h"

namespace hs::engine {
namespace {

inline float silu(float x)
{
    return x / (1 + cuda::exponential(-x));
}

/// GPT-2's GELU, x (1 + tanh u) / 2, in the form x sigmoid(2u).
inline float geluTanh(float x)
{
    constexpr float kTwiceRootTwoOverPi = 1.5957691216f;
    return x / (1 + cuda::exponential(-kTwiceRootTwoOverPi * (x + 0.044715f * x * x * x)));
}

}  // namespace

bool hasCpuActivation(model::Activation activation)
{
    return activation == model::Activation::GeluTanh || activation == model::Activation::Silu;
}

void activate(model::Activation activation, float* x, std::size_t count)
{
    if (activation == model::Activation::Silu)
        for (std::size_t i = 0; i < count; ++i)
            x[i] = silu(x[i]);
    else
        for (std::size_t i = 0; i < count; ++i)
            x[i] = geluTanh(x[i]);
}

void activateGated(model::Activation activation, float* x, const float* factor, std::size_t count)
{
    if (activation == model::Activation::Silu)
        for (std::size_t i = 0; i < count; ++i)
            x[i] = silu(x[i]) * factor[i];
    else
        for (std::size_t i = 0; i < count; ++i)
            x[i] = geluTanh(x[i]) * factor[i];
}

float sumOfExponentials(const float* x, std::size_t count, float offset)
{
    // Parallel sums, so that the compiler can vectorise without reordering any of them.
    constexpr std::size_t kSums = 16;
    float sums[kSums] = {};
    std::size_t i = 0;
    for (; i + kSums <= count; i += kSums)
        for (std::size_t lane = 0; lane < kSums; ++lane)
            sums[lane] += cuda::exponential(x[i + lane] - offset);
    float sum = 0;
    for (; i < count; ++i)
        sum += cuda::exponential(x[i] - offset);
    for (const float part : sums)
        sum += part;
    return sum;
}

}  // namespace hs::engine
