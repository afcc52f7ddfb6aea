#include "cuda/numbers.cuh"
#include "cuda/row_norm.h"

#include <type_traits>

namespace hs::cuda {
namespace {

constexpr int kThreads = 256;

/// The sum over the block, the same for every thread.
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

/// A row's numbers as this thread holds them: every kThreads-th pack of neighbours.
template <class T, int kCount, int kPacks>
struct RowPart {
    float numbers[kPacks][kCount];
    int width;

    __device__ RowPart(const T* row, int rowWidth) : width(rowWidth)
    {
        forEach([&](int at, float(&pack)[kCount]) { readPack(row + at, pack); });
    }

    template <class Visit>
    __device__ void forEach(const Visit& visit)
    {
#pragma unroll
        for (int pack = 0; pack < kPacks; ++pack) {
            const int at = (pack * kThreads + static_cast<int>(threadIdx.x)) * kCount;
            if (at < width)
                visit(at, numbers[pack]);
        }
    }

    template <class Term>
    __device__ float sum(const Term& term)
    {
        float sum = 0;
        forEach([&](int, float(&pack)[kCount]) {
#pragma unroll
            for (int i = 0; i < kCount; ++i)
                sum += term(pack[i]);
        });
        return sumOfBlock(sum);
    }
};

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

/// One block per row.
template <class T, int kCount, int kPacks>
__global__ void __launch_bounds__(kThreads) normKernel(RowNormProblem problem)
{
    const std::int64_t first = static_cast<std::int64_t>(blockIdx.x) * problem.width;
    RowPart<T, kCount, kPacks> row(static_cast<const T*>(problem.x) + first, problem.width);
    const auto width = static_cast<float>(problem.width);
    const float mean = problem.isRms ? 0.0f : row.sum([](float x) { return x; }) / width;
    const float squares = row.sum([mean](float x) { return (x - mean) * (x - mean); });
    const float inverse = rsqrtf(squares / width + problem.eps);
    row.forEach([&](int at, float(&numbers)[kCount]) {
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

/// Launches with few packs per thread, but enough for a block to hold a row.
template <class T, int kCount>
void launchNorm(const RowNormProblem& problem, Stream stream)
{
    const auto launch = [&](auto packs) {
        normKernel<T, kCount, packs.value>
            <<<static_cast<unsigned>(problem.rows), kThreads, 0, stream>>>(problem);
    };
    const int packs = (problem.width + kThreads * kCount - 1) / (kThreads * kCount);
    if (packs <= 1)
        launch(std::integral_constant<int, 1>());
    else if (packs <= 4)
        launch(std::integral_constant<int, 4>());
    else
        launch(std::integral_constant<int, kMostNormWidth / (kThreads * kCount)>());
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
        if (isVector)
            launchNorm<T, kCount>(problem, stream);
        else
            launchNorm<T, 1>(problem, stream);
    });
}

}  // namespace hs::cuda
