#include "cuda/numbers.cuh"
#include "cuda/row_norm.h"

#include <type_traits>

namespace hs::cuda {
namespace {

constexpr int kThreads = 256;

/// Over the block, the same for every thread.
__device__ float sumOfBlock(float x)
{
    __shared__ float parts[kThreads / 32];
    x = sumOfWarp(x);
    __syncthreads();
    if (threadIdx.x % 32 == 0)
        parts[threadIdx.x / 32] = x;
    __syncthreads();
    float sum = 0;
    for (const float part : parts)
        sum += part;
    return sum;
}

template <class T, int kCount, class Visit>
__device__ void forEachPack(const T* row, int width, const Visit& visit)
{
    for (int at = static_cast<int>(threadIdx.x) * kCount; at < width; at += kThreads * kCount) {
        float numbers[kCount];
        readPack(row + at, numbers);
        visit(at, numbers);
    }
}

template <int kCount, class T>
__device__ void readOr(const void* source, std::int64_t at, float otherwise, float (&numbers)[kCount])
{
    if (source) {
        readPack(static_cast<const T*>(source) + at, numbers);
        return;
    }
#pragma unroll
    for (int i = 0; i < kCount; ++i)
        numbers[i] = otherwise;
}

/// A block a row. It is read again from the cache for each pass.
template <class T, int kCount>
__global__ void __launch_bounds__(kThreads) normKernel(RowNormProblem problem)
{
    const std::int64_t first = static_cast<std::int64_t>(blockIdx.x) * problem.width;
    const T* const x = static_cast<const T*>(problem.x) + first;
    float mean = 0;
    if (!problem.isRms) {
        float sum = 0;
        forEachPack<T, kCount>(x, problem.width, [&](int, const float(&numbers)[kCount]) {
#pragma unroll
            for (int i = 0; i < kCount; ++i)
                sum += numbers[i];
        });
        mean = sumOfBlock(sum) / static_cast<float>(problem.width);
    }
    float squares = 0;
    forEachPack<T, kCount>(x, problem.width, [&](int, const float(&numbers)[kCount]) {
#pragma unroll
        for (int i = 0; i < kCount; ++i)
            squares = fmaf(numbers[i] - mean, numbers[i] - mean, squares);
    });
    const float inverse = rsqrtf(sumOfBlock(squares) / static_cast<float>(problem.width) + problem.eps);
    forEachPack<T, kCount>(x, problem.width, [&](int at, float(&numbers)[kCount]) {
        float scale[kCount];
        float bias[kCount];
        float addend[kCount];
        readOr<kCount, T>(problem.scale, at, 1, scale);
        readOr<kCount, T>(problem.bias, at, 0, bias);
        readOr<kCount, T>(problem.addend, first + at, 0, addend);
#pragma unroll
        for (int i = 0; i < kCount; ++i) {
            float normed = (numbers[i] - mean) * inverse;
            if (problem.isRms)
                normed = widen(narrowed<T>(normed));  // as the models were trained
            normed = fmaf(normed, scale[i], bias[i]);
            numbers[i] = problem.addend ? addend[i] + widen(narrowed<T>(normed)) : normed;
        }
        writePack(static_cast<T*>(problem.y) + first + at, numbers);
    });
}

}  // namespace

void rowNorm(const RowNormProblem& problem, Stream stream)
{
    withAnyType(problem.precision, [&](auto number) {
        using T = decltype(number);
        constexpr int kCount = kNumbersOf16Bytes<T>;
        const bool isVector = problem.width % kCount == 0 && isAligned(problem.x, 16) &&
                              isAligned(problem.scale, 16) && isAligned(problem.bias, 16) &&
                              isAligned(problem.addend, 16) && isAligned(problem.y, 16);
        auto* const kernel = isVector ? &normKernel<T, kCount> : &normKernel<T, 1>;
        kernel<<<static_cast<unsigned>(problem.rows), kThreads, 0, stream>>>(problem);
    });
}

}  // namespace hs::cuda
