#pragma once

#include <cuda_runtime_api.h>

#include <stdexcept>
#include <string>

namespace hs::cuda {

inline void check(cudaError_t error)
{
    if (error != cudaSuccess)
        throw std::runtime_error(std::string("CUDA: ") + cudaGetErrorString(error));
}

}  // namespace hs::cuda
