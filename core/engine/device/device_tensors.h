#pragma once

#include "engine/device/device.h"
#include "engine/device/torch.h"

namespace hs::engine {

at::Device torchDevice(Device device);
at::ScalarType torchType(model::DType dtype);

/// A tensor of the host on a device, without waiting for what that is doing.
inline at::Tensor uploaded(const at::Tensor& host, at::Device device)
{
    return device.is_cuda() ? host.pin_memory().to(device, /*non_blocking=*/true) : host.to(device);
}

/// A generator of its own, with the same numbers for the same seed.
at::Generator newGenerator(at::Device device, std::uint64_t seed);

/// Sets, for its lifetime, whether torch may round the factors of float32 products on a GPU to TF32. One
/// thread at a time: torch has a single global setting.
class Tf32Scope {
public:
    explicit Tf32Scope(bool isAllowed);
    ~Tf32Scope();
    Tf32Scope(const Tf32Scope&) = delete;
    Tf32Scope& operator=(const Tf32Scope&) = delete;

private:
    bool m_before;
};

/// The type runs compute in there: the weights' type on a GPU, float32 on the CPU.
at::ScalarType computingType(Device device, model::DType weights);

/// The type of weights that a torch type stands for; others are refused. Throws Failure.
model::DType fromTorchType(at::ScalarType type, const std::string& what);

}  // namespace hs::engine
