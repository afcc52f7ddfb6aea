#include "cuda/activation_math.h"
#include "cuda/gated_activation.h"
#include "cuda/numbers.cuh"

#include <type_traits>

namespace hs::cuda {
namespace {

constexpr int kThreads = 256;

/// Which numbers of a row this thread computes.
template <int kCount>
struct Place {
    std::int64_t row;
    int at;

    __device__ explicit Place(int width)
    {
        const int parts = width / kCount;
        const std::int64_t item = static_cast<std::int64_t>(blockIdx.x) * kThreads + threadIdx.x;
        row = item / parts;
        at = static_cast<int>(item - row * parts) * kCount;
    }
};

template <class T, int kCount>
__global__ void forwardKernel(ActivationProblem problem, T* y)
{
    const Place<kCount> place(problem.width);
    if (place.row >= problem.rows)
        return;
    const T* const source = static_cast<const T*>(problem.inner) + 2 * place.row * problem.width + place.at;
    float gate[kCount];
    float up[kCount];
    readPack(source, gate);
    readPack(source + problem.width, up);
#pragma unroll
    for (int i = 0; i < kCount; ++i)
        up[i] *= activated(problem.activation, gate[i]).value;
    writePack(y + place.row * problem.width + place.at, up);
}

template <class T, int kCount>
__global__ void backwardKernel(ActivationProblem problem, const T* dy, T* dInner)
{
    const Place<kCount> place(problem.width);
    if (place.row >= problem.rows)
        return;
    const std::int64_t begin = 2 * place.row * problem.width + place.at;
    const T* const source = static_cast<const T*>(problem.inner) + begin;
    float gate[kCount];
    float up[kCount];
    float slope[kCount];
    readPack(source, gate);
    readPack(source + problem.width, up);
    readPack(dy + place.row * problem.width + place.at, slope);
#pragma unroll
    for (int i = 0; i < kCount; ++i) {
        const Activated active = activated(problem.activation, gate[i]);
        gate[i] = slope[i] * active.slope * up[i];
        up[i] = slope[i] * active.value;
    }
    writePack(dInner + begin, gate);
    writePack(dInner + begin + problem.width, up);
}

/// Calls `call(T(), how many numbers at a time, blocks)`.
template <class Call>
void withForm(const ActivationProblem& problem, bool isAlignedElsewhere, const Call& call)
{
    withType(problem.precision, [&](auto number) {
        constexpr int kCount = kNumbersOf16Bytes<decltype(number)>;
        const bool isVector =
            isAlignedElsewhere && isAligned(problem.inner, 16) && problem.width % kCount == 0;
        const std::int64_t items = problem.rows * (problem.width / (isVector ? kCount : 1));
        const auto blocks = static_cast<unsigned>((items + kThreads - 1) / kThreads);
        if (isVector)
            call(number, std::integral_constant<int, kCount>(), blocks);
        else
            call(number, std::integral_constant<int, 1>(), blocks);
    });
}

}  // namespace

void gatedActivationForward(const ActivationProblem& problem, void* y, Stream stream)
{
    withForm(problem, isAligned(y, 16), [&](auto number, auto count, unsigned blocks) {
        using T = decltype(number);
        forwardKernel<T, count.value><<<blocks, kThreads, 0, stream>>>(problem, static_cast<T*>(y));
    });
}

void gatedActivationBackward(const ActivationProblem& problem, const void* dy, void* dInner, Stream stream)
{
    withForm(problem, isAligned(dy, 16) && isAligned(dInner, 16),
             [&](auto number, auto count, unsigned blocks) {
                 using T = decltype(number);
                 backwardKernel<T, count.value><<<blocks, kThreads, 0, stream>>>(
                     problem, static_cast<const T*>(dy), static_cast<T*>(dInner));
             });
}

}  // namespace hs::cuda
