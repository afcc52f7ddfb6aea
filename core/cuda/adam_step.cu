#include "cuda/adam_math.h"

#include <algorithm>

namespace hs::cuda {
namespace {

constexpr int kThreads = 256;
constexpr std::int64_t kMostBlocks = 1 << 16;

template <class Gradient, class State>
__global__ void adamKernel(AdamProblem problem)
{
    const AdamScalars scalars = *problem.scalars;
    const std::int64_t step = static_cast<std::int64_t>(gridDim.x) * kThreads;
    for (std::int64_t index = static_cast<std::int64_t>(blockIdx.x) * kThreads + threadIdx.x;
         index < problem.size; index += step)
        adamNumber<Gradient, State>(problem, scalars, index);
}

}  // namespace

void adamStep(const AdamProblem& problem, Stream stream)
{
    const auto blocks = static_cast<unsigned>(
        std::clamp<std::int64_t>((problem.size + kThreads - 1) / kThreads, 1, kMostBlocks));
    withAdamTypes(problem, [&](auto gradient, auto state) {
        adamKernel<decltype(gradient), decltype(state)><<<blocks, kThreads, 0, stream>>>(problem);
    });
}

}  // namespace hs::cuda
