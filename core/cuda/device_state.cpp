#include "cuda/device_state.h"

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

std::optional<std::string> failureOf(int index)
{
    int previous = 0;
    cudaGetDevice(&previous);
    cudaError_t error = cudaSetDevice(index);
    cudaGetLastError();  // forgets an error of a single call
    if (error == cudaSuccess)
        error = cudaDeviceSynchronize();
    cudaSetDevice(previous);
    return error == cudaSuccess ? std::nullopt : std::optional<std::string>(cudaGetErrorString(error));
}

std::optional<std::string> absence()
{
    int count = 0;
    const cudaError_t error = cudaGetDeviceCount(&count);
    cudaGetLastError();
    if (error == cudaSuccess && count > 0)
        return std::nullopt;
    return cudaGetErrorString(error == cudaSuccess ? cudaErrorNoDevice : error);
}

}  // namespace hs::cuda
