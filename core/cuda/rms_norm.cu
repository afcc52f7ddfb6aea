#include "cuda/numbers.cuh"
#include "cuda/rms_norm.h"

#include <algorithm>
#include <type_traits>

namespace hs::cuda {
namespace {

constexpr int kRowsOfBlock = 4;  // a warp each
constexpr int kMostParts = 256;

/// The row of this warp and the index of this lane.
struct WarpRow {
    std::int64_t row = static_cast<std::int64_t>(blockIdx.x) * kRowsOfBlock + threadIdx.x / 32;
    int lane = static_cast<int>(threadIdx.x % 32);
};

template <int kCount, class T>
__device__ void readScale(const NormProblem& problem, int at, float (&scale)[kCount])
{
    if (problem.scale) {
        readPack(static_cast<const T*>(problem.scale) + at, scale);
        return;
    }
#pragma unroll
    for (int i = 0; i < kCount; ++i)
        scale[i] = 1;
}

template <class T, int kCount>
__global__ void forwardKernel(NormProblem problem, T* y, float* inverses)
{
    const WarpRow warp;
    if (warp.row >= problem.rows)
        return;
    const T* const x = static_cast<const T*>(problem.x) + warp.row * problem.width;
    float squares = 0;
    for (int at = warp.lane * kCount; at < problem.width; at += 32 * kCount) {
        float numbers[kCount];
        readPack(x + at, numbers);
#pragma unroll
        for (int i = 0; i < kCount; ++i)
            squares = fmaf(numbers[i], numbers[i], squares);
    }
    const float inverse = rsqrtf(sumOfWarp(squares) / static_cast<float>(problem.width) + problem.eps);
    if (warp.lane == 0)
        inverses[warp.row] = inverse;
    for (int at = warp.lane * kCount; at < problem.width; at += 32 * kCount) {
        float numbers[kCount];
        float scale[kCount];
        readPack(x + at, numbers);
        readScale<kCount, T>(problem, at, scale);
#pragma unroll
        for (int i = 0; i < kCount; ++i)
            numbers[i] = widen(narrowed<T>(numbers[i] * inverse)) * scale[i];
        writePack(y + warp.row * problem.width + at, numbers);
    }
}

template <class T, int kCount>
__global__ void backwardKernel(NormProblem problem, NormGradient gradient)
{
    const WarpRow warp;
    if (warp.row >= problem.rows)
        return;
    const T* const x = static_cast<const T*>(problem.x) + warp.row * problem.width;
    const T* const dy = static_cast<const T*>(gradient.dy) + warp.row * problem.width;
    const float inverse = gradient.inverse[warp.row];
    float along = 0;  // how far the gradient points along the normed row
    for (int at = warp.lane * kCount; at < problem.width; at += 32 * kCount) {
        float numbers[kCount];
        float slopes[kCount];
        float scale[kCount];
        readPack(x + at, numbers);
        readPack(dy + at, slopes);
        readScale<kCount, T>(problem, at, scale);
#pragma unroll
        for (int i = 0; i < kCount; ++i)
            along = fmaf(slopes[i] * scale[i], numbers[i] * inverse, along);
    }
    along = sumOfWarp(along) / static_cast<float>(problem.width);
    for (int at = warp.lane * kCount; at < problem.width; at += 32 * kCount) {
        float numbers[kCount];
        float slopes[kCount];
        float scale[kCount];
        readPack(x + at, numbers);
        readPack(dy + at, slopes);
        readScale<kCount, T>(problem, at, scale);
#pragma unroll
        for (int i = 0; i < kCount; ++i)
            numbers[i] = inverse * (slopes[i] * scale[i] - numbers[i] * inverse * along);
        writePack(static_cast<T*>(gradient.dx) + warp.row * problem.width + at, numbers);
    }
}

constexpr int kScaleThreads = 64;

/// One thread per column and part of the rows.
template <class T>
__global__ void scaleKernel(NormProblem problem, NormGradient gradient)
{
    const int column = static_cast<int>(blockIdx.x) * kScaleThreads + static_cast<int>(threadIdx.x);
    if (column >= problem.width)
        return;
    const std::int64_t begin = problem.rows * blockIdx.y / gridDim.y;
    const std::int64_t end = problem.rows * (blockIdx.y + 1) / gridDim.y;
    const T* const x = static_cast<const T*>(problem.x) + column;
    const T* const dy = static_cast<const T*>(gradient.dy) + column;
    float sum = 0;
#pragma unroll 4
    for (std::int64_t row = begin; row < end; ++row) {
        const float normed = widen(narrowed<T>(widen(x[row * problem.width]) * gradient.inverse[row]));
        sum = fmaf(widen(dy[row * problem.width]), normed, sum);
    }
    gradient.dScale[static_cast<std::int64_t>(blockIdx.y) * problem.width + column] = sum;
}

/// Calls `call(T(), how many numbers at a time)`.
template <class Call>
void withForm(const NormProblem& problem, bool isAlignedElsewhere, const Call& call)
{
    withType(problem.precision, [&](auto number) {
        constexpr int kCount = kNumbersOf16Bytes<decltype(number)>;
        if (isAlignedElsewhere && problem.width % kCount == 0 && isAligned(problem.x, 16) &&
            isAligned(problem.scale, 16))
            call(number, std::integral_constant<int, kCount>());
        else
            call(number, std::integral_constant<int, 1>());
    });
}

unsigned blocksFor(std::int64_t rows)
{
    return static_cast<unsigned>((rows + kRowsOfBlock - 1) / kRowsOfBlock);
}

}  // namespace

int normParts(std::int64_t rows)
{
    return static_cast<int>(std::clamp<std::int64_t>(rows / 32, 1, kMostParts));
}

void rmsNormForward(const NormProblem& problem, void* y, float* inverse, Stream stream)
{
    withForm(problem, isAligned(y, 16), [&](auto number, auto count) {
        using T = decltype(number);
        forwardKernel<T, count.value>
            <<<blocksFor(problem.rows), 32 * kRowsOfBlock, 0, stream>>>(problem, static_cast<T*>(y), inverse);
    });
}

void rmsNormBackward(const NormProblem& problem, const NormGradient& gradient, Stream stream)
{
    withForm(problem, isAligned(gradient.dy, 16) && isAligned(gradient.dx, 16), [&](auto number, auto count) {
        using T = decltype(number);
        backwardKernel<T, count.value>
            <<<blocksFor(problem.rows), 32 * kRowsOfBlock, 0, stream>>>(problem, gradient);
        if (!gradient.dScale)
            return;
        const dim3 grid(static_cast<unsigned>((problem.width + kScaleThreads - 1) / kScaleThreads),
                        static_cast<unsigned>(normParts(problem.rows)));
        scaleKernel<T><<<grid, kScaleThreads, 0, stream>>>(problem, gradient);
    });
}

}  // namespace hs::cuda
