#pragma once

#include "cuda/stream.h"
#include "engine/device/torch.h"

#ifdef HS_WITH_CUDA
#include <c10/cuda/CUDAException.h>
#include <c10/cuda/CUDAStream.h>
#endif

#include <algorithm>

namespace hs::train {

/// Whether the kernels or their twins can read it: the twins only read float.
inline bool isReadable(const at::Tensor& x)
{
    return x.scalar_type() == at::kFloat || (x.is_cuda() && x.scalar_type() == at::kBFloat16);
}

inline cuda::Precision precisionOf(const at::Tensor& x)
{
    return x.scalar_type() == at::kFloat ? cuda::Precision::Float : cuda::Precision::Bfloat16;
}

/// A pointer for an interface in which null means "none".
template <class T>
T* pointerOrNull(const at::Tensor& x)
{
    return x.defined() ? x.data_ptr<T>() : nullptr;
}

/// Launches kernels on the GPU of `x`, or runs their twins on the CPU. `onGpu` is generic: a build without
/// CUDA has no kernels to link.
template <class Gpu, class Cpu>
void runWhere(const at::Tensor& x, [[maybe_unused]] const Gpu& onGpu, const Cpu& onCpu)
{
#ifdef HS_WITH_CUDA
    if (x.is_cuda()) {
        const at::DeviceGuard guard(x.device());
        onGpu(c10::cuda::getCurrentCUDAStream().stream());
        C10_CUDA_KERNEL_LAUNCH_CHECK();
        return;
    }
#endif
    TORCH_INTERNAL_ASSERT(x.device().is_cpu(), "there are no kernels for this device");
    onCpu();
}

/// Calls `body` on ranges of rows [0, count), of about equal work, among the threads.
template <class Body>
void forRows(std::int64_t count, std::int64_t numbersOfRow, const Body& body)
{
    const std::int64_t grain =
        std::max<std::int64_t>(1, at::internal::GRAIN_SIZE / std::max<std::int64_t>(1, numbersOfRow));
    at::parallel_for(0, count, grain, body);
}

}  // namespace hs::train
