#pragma once

#include "engine/device/torch.h"
#include "support/catch.h"

#include <vector>

namespace hs {

/// Where a fused operation is tried, and how close it has to come to the plain one in double.
struct FusedTarget {
    at::Device device = at::kCPU;
    at::ScalarType type = at::kFloat;
    double tolerance = 2e-5;  // for the norm of the difference, relative to that of the expected

    at::TensorOptions options() const { return at::TensorOptions(type).device(device); }
};

inline std::vector<FusedTarget> fusedTargets()
{
    std::vector<FusedTarget> targets = {{}};
    if (at::hasCUDA()) {
        targets.push_back({at::Device(at::kCUDA, 0), at::kFloat, 5e-5});
        targets.push_back({at::Device(at::kCUDA, 0), at::kBFloat16, 2e-2});
    }
    return targets;
}

inline double distance(const at::Tensor& actual, const at::Tensor& expected)
{
    const at::Tensor wanted = expected.detach().to(at::kCPU, at::kDouble);
    const at::Tensor got = actual.detach().to(at::kCPU, at::kDouble);
    REQUIRE(got.sizes() == wanted.sizes());
    const double length = wanted.norm().item<double>();
    return (got - wanted).norm().item<double>() / (length > 0 ? length : 1);
}

/// A leaf with the same numbers, rounded as in the target's type, in double.
inline at::Tensor exactLeaf(const at::Tensor& x)
{
    return x.detach().to(at::kCPU, at::kDouble).clone().requires_grad_(true);
}

/// Random numbers that the target can hold.
inline at::Tensor randomOn(const FusedTarget& target, at::IntArrayRef shape)
{
    return at::randn(shape).to(target.device, target.type);
}

}  // namespace hs
