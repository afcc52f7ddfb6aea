#include "cuda/attention_problem.cuh"
#include "cuda/numbers.cuh"
#include "cuda/token_draw.h"

namespace hs::cuda {
namespace {

constexpr int kThreads = 512;
constexpr int kWarps = kThreads / 32;

__device__ float largestOfBlock(float mine)
{
    __shared__ float ofWarps[kWarps];
    for (int distance = 16; distance > 0; distance /= 2)
        mine = fmaxf(mine, __shfl_xor_sync(kAllLanes, mine, distance));
    if (threadIdx.x % 32 == 0)
        ofWarps[threadIdx.x / 32] = mine;
    __syncthreads();
    float largest = ofWarps[0];
    for (int warp = 1; warp < kWarps; ++warp)
        largest = fmaxf(largest, ofWarps[warp]);
    return largest;
}

struct Place {
    int index = 0;    // of the share into which the rest falls
    double rest = 0;  // what is left of it there
};

/// The last with a share, should rounding leave a rest.
__device__ Place placeOf(double rest, const float* shares, int count)
{
    Place place;
    for (int i = 0; i < count; ++i) {
        if (shares[i] == 0)
            continue;
        place = {i, rest};
        if (rest < shares[i])
            break;
        rest -= shares[i];
    }
    return place;
}

/// One block a row.
template <class T>
__global__ void __launch_bounds__(kThreads) drawKernel(TokenDraw problem)
{
    extern __shared__ float sums[];  // [block of tokens]
    __shared__ float shares[kTokenBlock];
    __shared__ Place block;
    const int thread = static_cast<int>(threadIdx.x), vocabulary = problem.vocabulary;
    const std::int64_t row = blockIdx.x;
    const T* const logits = static_cast<const T*>(problem.logits) + row * vocabulary;
    float mine = -INFINITY;
    for (int token = thread; token < vocabulary; token += kThreads)
        mine = fmaxf(mine, widen(logits[token]));
    const float largest = largestOfBlock(mine);
    const auto shareOf = [&](int token) {
        return token < vocabulary ? __expf(widen(logits[token]) - largest) : 0.0f;
    };
    const int blocks = (vocabulary + kTokenBlock - 1) / kTokenBlock;
    for (int i = thread / 32; i < blocks; i += kWarps) {
        float sum = 0;
#pragma unroll
        for (int at = 0; at < kTokenBlock; at += 32)
            sum += shareOf(i * kTokenBlock + at + thread % 32);
        sum = sumOfWarp(sum);
        if (thread % 32 == 0)
            sums[i] = sum;
    }
    __syncthreads();
    if (thread == 0) {
        double total = 0;
        for (int i = 0; i < blocks; ++i)
            total += sums[i];
        block = placeOf(problem.numbers[row] * total, sums, blocks);
    }
    __syncthreads();
    const int first = block.index * kTokenBlock;
    if (thread < kTokenBlock)
        shares[thread] = shareOf(first + thread);
    __syncthreads();
    if (thread == 0)
        problem.tokens[row] = first + placeOf(block.rest, shares, kTokenBlock).index;
}

}  // namespace

void drawTokens(const TokenDraw& problem, Stream stream)
{
    withType(problem.precision, [&](auto number) {
        auto* const kernel = &drawKernel<decltype(number)>;
        const auto blocks = static_cast<std::size_t>((problem.vocabulary + kTokenBlock - 1) / kTokenBlock);
        allowSharedMemory(kernel, blocks * sizeof(float));
        kernel<<<static_cast<unsigned>(problem.rows), kThreads, blocks * sizeof(float), stream>>>(problem);
    });
}

}  // namespace hs::cuda
