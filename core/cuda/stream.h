#pragma once

#include <cstddef>
#include <cstdint>

struct CUstream_st;

namespace hs::cuda {

/// A cudaStream_t, without the CUDA Toolkit's headers: the kernels' twins are built without it.
using Stream = CUstream_st*;

/// What the numbers of a tensor are stored as; kernels compute in float.
enum class Precision { Float, Bfloat16, Half };

}  // namespace hs::cuda
