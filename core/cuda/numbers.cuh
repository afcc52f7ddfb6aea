#pragma once

#include "cuda/stream.h"

#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include <cstdint>
#include <type_traits>

namespace hs::cuda {

using Bfloat16 = __nv_bfloat16;
using Half = __half;

__device__ inline float widen(float x)
{
    return x;
}

__device__ inline float widen(Bfloat16 x)
{
    return __bfloat162float(x);
}

__device__ inline float widen(Half x)
{
    return __half2float(x);
}

template <class T>
__device__ T narrowed(float x)
{
    if constexpr (std::is_same_v<T, float>)
        return x;
    else if constexpr (std::is_same_v<T, Bfloat16>)
        return __float2bfloat16_rn(x);
    else
        return __float2half_rn(x);
}

/// Neighbours that are read and written in one instruction.
template <class T, int kCount>
struct alignas(sizeof(T) * kCount) Pack {
    T numbers[kCount];
};

template <int kCount, class T>
__device__ void readPack(const T* source, float (&numbers)[kCount])
{
    const auto pack = *reinterpret_cast<const Pack<T, kCount>*>(source);
#pragma unroll
    for (int i = 0; i < kCount; ++i)
        numbers[i] = widen(pack.numbers[i]);
}

template <int kCount, class T>
__device__ void writePack(T* target, const float (&numbers)[kCount])
{
    Pack<T, kCount> pack;
#pragma unroll
    for (int i = 0; i < kCount; ++i)
        pack.numbers[i] = narrowed<T>(numbers[i]);
    *reinterpret_cast<Pack<T, kCount>*>(target) = pack;
}

template <class T>
constexpr int kNumbersOf16Bytes = 16 / static_cast<int>(sizeof(T));

inline bool isAligned(const void* pointer, std::size_t bytes)
{
    return reinterpret_cast<std::uintptr_t>(pointer) % bytes == 0;
}

constexpr unsigned kAllLanes = 0xffffffffu;

__device__ inline float sumOfWarp(float x)
{
    for (int distance = 16; distance > 0; distance /= 2)
        x += __shfl_xor_sync(kAllLanes, x, distance);
    return x;
}

/// Calls `call` with a number of the type that `precision` names; training does not use half.
template <class Call>
void withType(Precision precision, const Call& call)
{
    if (precision == Precision::Float)
        call(float());
    else
        call(Bfloat16());
}

/// As above, for kernels that also support half.
template <class Call>
void withAnyType(Precision precision, const Call& call)
{
    if (precision == Precision::Half)
        call(Half());
    else
        withType(precision, call);
}

}  // namespace hs::cuda
