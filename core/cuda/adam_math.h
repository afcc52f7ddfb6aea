#pragma once

#include "cuda/adam_step.h"
#include "cuda/gate_noise.h"
#include "cuda/host_device.h"

#include <cmath>
#include <cstring>
#include <variant>

namespace hs::cuda {

/// A bfloat16 by its bits, the upper half of a float's, so that kernel and twin share all that is done to it.
using Bfloat16Bits = std::uint16_t;

HS_HOST_DEVICE inline float readState(float x)
{
    return x;
}

HS_HOST_DEVICE inline float readState(Bfloat16Bits x)
{
    const std::uint32_t bits = static_cast<std::uint32_t>(x) << 16;
    float value;
    std::memcpy(&value, &bits, sizeof(value));
    return value;
}

HS_HOST_DEVICE inline void writeState(float& target, float x, std::uint32_t)
{
    target = x;
}

/// Rounds up with a chance that makes the mean right: a moment that changes by less than half a step of
/// bfloat16, time after time, moves all the same. `noise` has 16 random bits.
HS_HOST_DEVICE inline void writeState(Bfloat16Bits& target, float x, std::uint32_t noise)
{
    std::uint32_t bits;
    std::memcpy(&bits, &x, sizeof(bits));
    const bool isFinite = (bits & 0x7f800000u) != 0x7f800000u;
    target = static_cast<Bfloat16Bits>((isFinite ? bits + noise : bits) >> 16);
}

/// AdamW for number `index`.
template <class Gradient, class State>
HS_HOST_DEVICE inline void adamNumber(const AdamProblem& problem, const AdamScalars& scalars,
                                      std::int64_t index)
{
    constexpr float kEpsilon = 1e-8f;
    State& keptMean = static_cast<State*>(problem.mean)[index];
    State& keptDeviation = static_cast<State*>(problem.deviation)[index];
    const float gradient = readState(static_cast<const Gradient*>(problem.gradient)[index]) * *problem.clip;
    const float before = readState(keptDeviation);
    const float mean = problem.beta1 * readState(keptMean) + (1 - problem.beta1) * gradient;
    const float deviation =
        sqrtf(problem.beta2 * before * before + (1 - problem.beta2) * gradient * gradient);
    const float kept = index < problem.matrixSize ? 1 - scalars.rate * problem.decay : 1.0f;
    const float weight =
        problem.weights[index] * kept - scalars.rate * scalars.meanCorrection * mean /
                                            (deviation * sqrtf(scalars.varianceCorrection) + kEpsilon);
    problem.weights[index] = weight;
    problem.average[index] += (weight - problem.average[index]) * scalars.averageShare;
    const std::uint64_t noise =
        sizeof(State) == sizeof(float)
            ? 0
            : mixBits(mixBits(static_cast<std::uint64_t>(*problem.seed) + 0x9e3779b97f4a7c15ull) ^
                      static_cast<std::uint64_t>(index));
    writeState(keptMean, mean, static_cast<std::uint32_t>(noise & 0xffffu));
    writeState(keptDeviation, deviation, static_cast<std::uint32_t>((noise >> 16) & 0xffffu));
}

using AdamNumber = std::variant<float, Bfloat16Bits>;

inline AdamNumber numberOf(Precision precision)
{
    return precision == Precision::Float ? AdamNumber(float()) : AdamNumber(Bfloat16Bits());
}

/// Calls `call` with a gradient's and a state's number.
template <class Call>
void withAdamTypes(const AdamProblem& problem, const Call& call)
{
    std::visit(call, numberOf(problem.gradientPrecision), numberOf(problem.statePrecision));
}

}  // namespace hs::cuda
