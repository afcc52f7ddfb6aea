#pragma once

#include "cuda/gated_activation.h"
#include "cuda/host_device.h"

#include <cmath>

namespace hs::cuda {

/// An activation's value and slope at one number.
struct Activated {
    float value;
    float slope;
};

HS_HOST_DEVICE inline Activated activated(ActivationKind activation, float x)
{
    switch (activation) {
    case ActivationKind::Relu: return {x > 0 ? x : 0.0f, x > 0 ? 1.0f : 0.0f};
    case ActivationKind::Gelu: {
        const float chance = 0.5f * (1.0f + erff(x * 0.70710678f));
        return {x * chance, chance + x * 0.39894228f * expf(-0.5f * x * x)};
    }
    case ActivationKind::GeluTanh: {
        constexpr float kRootTwoOverPi = 0.79788456f;
        constexpr float kCubic = 0.044715f;
        const float tanh = tanhf(kRootTwoOverPi * (x + kCubic * x * x * x));
        return {0.5f * x * (1.0f + tanh), 0.5f * (1.0f + tanh) + 0.5f * x * (1.0f - tanh * tanh) *
                                                                     kRootTwoOverPi *
                                                                     (1.0f + 3.0f * kCubic * x * x)};
    }
    case ActivationKind::QuickGelu: {
        const float share = 1.0f / (1.0f + expf(-1.702f * x));
        return {x * share, share + 1.702f * x * share * (1.0f - share)};
    }
    case ActivationKind::Silu: break;
    }
    const float share = 1.0f / (1.0f + expf(-x));
    return {x * share, share + x * share * (1.0f - share)};
}

}  // namespace hs::cuda
