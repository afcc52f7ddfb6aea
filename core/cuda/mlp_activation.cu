#include "cuda/activation_math.h"
#include "cuda/mlp_activation.h"
#include "cuda/numbers.cuh"

namespace hs::cuda {
namespace {

constexpr int kThreads = 256;

template <class T, int kCount>
__global__ void __launch_bounds__(kThreads) activateKernel(MlpActivation problem)
{
    const int at = (static_cast<int>(blockIdx.x) * kThreads + static_cast<int>(threadIdx.x)) * kCount;
    if (at >= problem.width)
        return;
    const std::int64_t stride = problem.isGated ? 2 * problem.width : problem.width;
    T* const inner = static_cast<T*>(problem.inner) + blockIdx.y * stride + at;
    float numbers[kCount];
    readPack(inner, numbers);
#pragma unroll
    for (int i = 0; i < kCount; ++i)
        numbers[i] = activated(problem.activation, numbers[i]).value;
    if (problem.isGated) {
        float factors[kCount];
        readPack(inner + problem.width, factors);
#pragma unroll
        for (int i = 0; i < kCount; ++i)
            numbers[i] = widen(narrowed<T>(numbers[i])) * factors[i];
    }
    writePack(inner, numbers);
}

}  // namespace

void activateMlp(const MlpActivation& problem, Stream stream)
{
    withAnyType(problem.precision, [&](auto number) {
        using T = decltype(number);
        constexpr int kMany = kNumbersOf16Bytes<T>;
        const bool isVector = problem.width % kMany == 0 && isAligned(problem.inner, 16);
        const int numbers = kThreads * (isVector ? kMany : 1);
        const dim3 grid(static_cast<unsigned>((problem.width + numbers - 1) / numbers),
                        static_cast<unsigned>(problem.rows));
        auto* const kernel = isVector ? &activateKernel<T, kMany> : &activateKernel<T, 1>;
        kernel<<<grid, kThreads, 0, stream>>>(problem);
    });
}

}  // namespace hs::cuda
