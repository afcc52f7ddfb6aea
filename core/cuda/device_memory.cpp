#include "cuda/device_memory.h"

#include <cuda_runtime_api.h>

namespace hs::cuda {

std::optional<std::uint64_t> freeMemory(int index)
{
    int previous = 0;
    std::size_t free = 0;
    std::size_t total = 0;
    if (cudaGetDevice(&previous) != cudaSuccess || cudaSetDevice(index) != cudaSuccess)
        return std::nullopt;
    const bool known = cudaMemGetInfo(&free, &total) == cudaSuccess;
    cudaSetDevice(previous);
    return known ? std::optional<std::uint64_t>(free) : std::nullopt;
}

}  // namespace hs::cuda
