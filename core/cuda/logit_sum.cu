#include "cuda/logit_sum.h"
#include "cuda/numbers.cuh"

namespace hs::cuda {
namespace {

constexpr int kThreads = 1024;

__device__ float largestOfWarp(float x)
{
    for (int distance = 16; distance > 0; distance /= 2)
        x = fmaxf(x, __shfl_xor_sync(kAllLanes, x, distance));
    return x;
}

/// One block: a vocabulary is read faster than a second launch begins.
template <class T>
__global__ void __launch_bounds__(kThreads) sumKernel(LogitProblem problem)
{
    __shared__ float parts[kThreads / 32];
    const T* const logits = static_cast<const T*>(problem.logits);
    float largest = -INFINITY;
#pragma unroll 8
    for (int token = static_cast<int>(threadIdx.x); token < problem.vocabulary; token += kThreads) {
        const float logit = widen(logits[token]);
        problem.result[token] = logit;
        largest = fmaxf(largest, logit);
    }
    largest = largestOfWarp(largest);
    if (threadIdx.x % 32 == 0)
        parts[threadIdx.x / 32] = largest;
    __syncthreads();
    largest = largestOfWarp(parts[threadIdx.x % 32]);
    float sum = 0;
#pragma unroll 8
    for (int token = static_cast<int>(threadIdx.x); token < problem.vocabulary; token += kThreads)
        sum += expf(widen(logits[token]) - largest);
    sum = sumOfWarp(sum);
    __syncthreads();
    if (threadIdx.x % 32 == 0)
        parts[threadIdx.x / 32] = sum;
    __syncthreads();
    sum = sumOfWarp(parts[threadIdx.x % 32]);
    if (threadIdx.x == 0)
        problem.result[problem.vocabulary] = largest + logf(sum);
}

}  // namespace

void sumLogits(const LogitProblem& problem, Stream stream)
{
    withAnyType(problem.precision,
                [&](auto number) { sumKernel<decltype(number)><<<1, kThreads, 0, stream>>>(problem); });
}

}  // namespace hs::cuda
