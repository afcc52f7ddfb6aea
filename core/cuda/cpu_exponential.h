#pragma once

#include <bit>
#include <cstdint>

namespace hs::cuda {

/// Beyond this, a float cannot hold both e^x and e^-x to full precision.
constexpr float kExponentialLimit = 87.0f;

/// e^x for |x| <= kExponentialLimit, without branches or calls: for loops that the compiler turns into
/// vector instructions. Files with such loops need the flags that core/CMakeLists.txt gives them.
inline float boundedExponential(float x)
{
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

/// e^x; beyond the limit it keeps its value there.
inline float exponential(float x)
{
    x = x > kExponentialLimit ? kExponentialLimit : x;
    x = x < -kExponentialLimit ? -kExponentialLimit : x;
    return boundedExponential(x);
}

}  // namespace hs::cuda
