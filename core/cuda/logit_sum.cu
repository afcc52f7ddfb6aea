#include "cuda/logit_sum.h"
#include "cuda/numbers.cuh"

namespace hs::cuda {
namespace {

constexpr int kThreads = 256;

/// The largest of some numbers, and the sum of the exponentials of their differences from it.
struct LogitPart {
    float largest = -INFINITY;
    float sum = 0;
};

__device__ LogitPart joined(LogitPart a, LogitPart b)
{
    const float largest = fmaxf(a.largest, b.largest);
    const auto share = [largest](LogitPart part) {
        return part.largest == -INFINITY ? 0.0f : part.sum * expf(part.largest - largest);
    };
    return {largest, share(a) + share(b)};
}

__device__ LogitPart joinedOfWarp(LogitPart part)
{
    for (int distance = 16; distance > 0; distance /= 2)
        part = joined(part, {__shfl_xor_sync(kAllLanes, part.largest, distance),
                             __shfl_xor_sync(kAllLanes, part.sum, distance)});
    return part;
}

/// Valid in the first warp.
__device__ LogitPart joinedOfBlock(LogitPart part)
{
    __shared__ LogitPart parts[kThreads / 32];
    part = joinedOfWarp(part);
    if (threadIdx.x % 32 == 0)
        parts[threadIdx.x / 32] = part;
    __syncthreads();
    return joinedOfWarp(threadIdx.x < kThreads / 32 ? parts[threadIdx.x] : LogitPart());
}

template <class T>
__global__ void __launch_bounds__(kThreads) sumKernel(LogitProblem problem)
{
    __shared__ bool isLast;
    LogitPart part;
    for (int token = static_cast<int>(blockIdx.x) * kThreads + static_cast<int>(threadIdx.x);
         token < problem.vocabulary; token += kLogitBlocks * kThreads) {
        const float logit = widen(static_cast<const T*>(problem.logits)[token]);
        problem.result[token] = logit;
        part = joined(part, {logit, 1});
    }
    part = joinedOfBlock(part);
    auto* const finished = reinterpret_cast<unsigned*>(problem.scratch + 2 * kLogitBlocks);
    if (threadIdx.x == 0) {
        problem.scratch[2 * blockIdx.x] = part.largest;
        problem.scratch[2 * blockIdx.x + 1] = part.sum;
        __threadfence();
        isLast = atomicAdd(finished, 1u) == kLogitBlocks - 1;
        if (isLast)
            *finished = 0;
    }
    __syncthreads();
    if (!isLast || threadIdx.x >= 32)
        return;
    __threadfence();
    LogitPart whole;
    for (int block = static_cast<int>(threadIdx.x); block < kLogitBlocks; block += 32)
        whole = joined(whole, {__ldcg(problem.scratch + 2 * block), __ldcg(problem.scratch + 2 * block + 1)});
    whole = joinedOfWarp(whole);
    if (threadIdx.x == 0)
        problem.result[problem.vocabulary] = whole.largest + logf(whole.sum);
}

}  // namespace

void sumLogits(const LogitProblem& problem, Stream stream)
{
    withAnyType(problem.precision, [&](auto number) {
        sumKernel<decltype(number)><<<kLogitBlocks, kThreads, 0, stream>>>(problem);
    });
}

}  // namespace hs::cuda
