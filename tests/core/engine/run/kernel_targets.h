#pragma once

#include "cuda/stream.h"
#include "engine/device/torch.h"
#include "support/skip.h"

#ifdef HS_WITH_CUDA
#include <c10/cuda/CUDAException.h>
#include <c10/cuda/CUDAStream.h>
#endif

#include <algorithm>
#include <cmath>
#include <vector>

namespace hs {

/// Where a kernel or its twin is tried, and how close it has to come to the result in double.
struct KernelTarget {
    at::Device device = at::kCPU;
    at::ScalarType type = at::kFloat;
    double tolerance = 0;  // of distance()

    cuda::Precision precision() const
    {
        if (type == at::kFloat)
            return cuda::Precision::Float;
        return type == at::kHalf ? cuda::Precision::Half : cuda::Precision::Bfloat16;
    }
};

inline std::vector<KernelTarget> twinAndKernelTargets()
{
    std::vector<KernelTarget> targets = {{at::kCPU, at::kFloat, 5e-6}};
#ifdef HS_WITH_CUDA
    if (at::hasCUDA()) {
        const at::Device gpu(at::kCUDA, 0);
        targets.push_back({gpu, at::kFloat, 1e-5});
        targets.push_back({gpu, at::kHalf, 2.5e-3});
        targets.push_back({gpu, at::kBFloat16, 2e-2});
    }
#endif
    return targets;
}

/// For kernels without a twin; skips the test if there is no GPU.
inline std::vector<KernelTarget> kernelTargets()
{
    std::vector<KernelTarget> targets = twinAndKernelTargets();
    targets.erase(targets.begin());
    if (targets.empty())
        test::skipTest("there is no GPU");
    return targets;
}

/// Calls `kernel` with a stream if the target is a GPU, and `twin` on the CPU. A kernel that takes its
/// stream as `auto` need not exist in a build without CUDA.
template <class Kernel, class Twin>
void launchOn(const KernelTarget& target, [[maybe_unused]] const Kernel& kernel, const Twin& twin)
{
#ifdef HS_WITH_CUDA
    if (target.device.is_cuda()) {
        kernel(c10::cuda::getCurrentCUDAStream().stream());
        C10_CUDA_KERNEL_LAUNCH_CHECK();
        return;
    }
#endif
    REQUIRE(target.device.is_cpu());
    twin();
}

/// Random numbers that the target can hold, `offset` numbers after the start of their memory.
inline at::Tensor randomOn(const KernelTarget& target, at::IntArrayRef shape, std::int64_t offset = 0)
{
    const std::int64_t count = c10::multiply_integers(shape);
    return at::randn({offset + count}).to(target.device, target.type).narrow(0, offset, count).view(shape);
}

/// The same numbers, for a plain computation.
inline at::Tensor exact(const at::Tensor& x)
{
    return x.to(at::kCPU, at::kDouble);
}

/// The root mean square of the difference, relative to that of the expected if that is above one.
inline double distance(const at::Tensor& actual, const at::Tensor& expected)
{
    REQUIRE(actual.sizes() == expected.sizes());
    const auto rootMeanSquare = [](const at::Tensor& x) {
        return std::sqrt(x.square().mean().item<double>());
    };
    return rootMeanSquare(exact(actual) - expected) / std::max(1.0, rootMeanSquare(expected));
}

/// A pointer for an interface in which null means "none".
inline const void* dataOf(const at::Tensor& tensor)
{
    return tensor.defined() ? tensor.data_ptr() : nullptr;
}

}  // namespace hs
