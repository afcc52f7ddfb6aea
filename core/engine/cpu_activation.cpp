#include "engine/cpu_activation.h"

#include <bit>
#include <cstdint>

namespace hs {
namespace {

/// e^x without branches. Beyond ±87 it stays at the edge of what a float holds.
inline float exponential(float x)
{
    constexpr float kLimit = 87.0f;
    x = x > kLimit ? kLimit : x;
    x = x < -kLimit ? -kLimit : x;
    // e^x = 2^n e^r with |r| <= ln(2) / 2. Adding 1.5 * 2^23 rounds to a whole number and leaves it in
    // the low bits; ln 2 in two parts keeps r exact.
    constexpr float kRound = 12582912.0f;
    const float shifted = x * 1.44269504f + kRound;
    const float n = shifted - kRound;
    const float r = (x - n * 0.693359375f) + n * 2.12194440e-4f;
    // Taylor's series: the first term left out is below 1e-8.
    const float power =
        1 + r * (1 + r * (1 / 2.0f +
                          r * (1 / 6.0f +
                               r * (1 / 24.0f + r * (1 / 120.0f + r * (1 / 720.0f + r * (1 / 5040.0f)))))));
    const auto exponent = (std::bit_cast<std::uint32_t>(shifted) - std::bit_cast<std::uint32_t>(kRound))
                          << 23;
    return std::bit_cast<float>(std::bit_cast<std::uint32_t>(power) + exponent);
}

inline float silu(float x)
{
    return x / (1 + exponential(-x));
}

/// GPT-2's GELU, x (1 + tanh u) / 2, in the form x sigmoid(2u).
inline float geluTanh(float x)
{
    constexpr float kTwiceRootTwoOverPi = 1.5957691216f;
    return x / (1 + exponential(-kTwiceRootTwoOverPi * (x + 0.044715f * x * x * x)));
}

}  // namespace

bool hasCpuActivation(Activation activation)
{
    return activation == Activation::GeluTanh || activation == Activation::Silu;
}

void activate(Activation activation, float* x, std::size_t count)
{
    if (activation == Activation::Silu)
        for (std::size_t i = 0; i < count; ++i)
            x[i] = silu(x[i]);
    else
        for (std::size_t i = 0; i < count; ++i)
            x[i] = geluTanh(x[i]);
}

void activateGated(Activation activation, float* x, const float* factor, std::size_t count)
{
    if (activation == Activation::Silu)
        for (std::size_t i = 0; i < count; ++i)
            x[i] = silu(x[i]) * factor[i];
    else
        for (std::size_t i = 0; i < count; ++i)
            x[i] = geluTanh(x[i]) * factor[i];
}

float sumOfExponentials(const float* x, std::size_t count, float offset)
{
    // Sums side by side, so that the compiler may use vectors without changing the order of any.
    constexpr std::size_t kSums = 16;
    float sums[kSums] = {};
    std::size_t i = 0;
    for (; i + kSums <= count; i += kSums)
        for (std::size_t lane = 0; lane < kSums; ++lane)
            sums[lane] += exponential(x[i + lane] - offset);
    float sum = 0;
    for (; i < count; ++i)
        sum += exponential(x[i] - offset);
    for (const float part : sums)
        sum += part;
    return sum;
}

}  // namespace hs
