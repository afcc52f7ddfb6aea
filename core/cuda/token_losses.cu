#include "cuda/numbers.cuh"
#include "cuda/token_losses.h"

#include <cfloat>
#include <type_traits>

namespace hs::cuda {
namespace {

constexpr int kMostWarps = 8;

/// Visits this thread's share of a row's numbers, 16 bytes at a time except at the ragged ends:
/// visit(index, how many).
template <class T, bool kIsVector, class Visit>
__device__ void forEachNumber(const T* row, int count, const Visit& visit)
{
    using One = std::integral_constant<int, 1>;
    constexpr int kCount = kNumbersOf16Bytes<T>;
    const int thread = static_cast<int>(threadIdx.x);
    const int threads = static_cast<int>(blockDim.x);
    int done = 0;
    if constexpr (kIsVector) {
        const auto offset = static_cast<int>(reinterpret_cast<std::uintptr_t>(row) % 16 / sizeof(T));
        const int before = min(count, (kCount - offset) % kCount);
        if (thread < before)
            visit(thread, One());
        done = before + (count - before) / kCount * kCount;
        for (int i = before + thread * kCount; i < done; i += threads * kCount)
            visit(i, std::integral_constant<int, kCount>());
    }
    for (int i = done + thread; i < count; i += threads)
        visit(i, One());
}

/// A sum of exponentials, kept relative to the largest so far, and a sum weighted by them.
struct RunningSum {
    float most = -FLT_MAX;
    float sum = 0;
    float weighed = 0;

    __device__ void raise(float largest)
    {
        if (largest <= most)
            return;
        const float shrink = __expf(most - largest);
        sum *= shrink;
        weighed *= shrink;
        most = largest;
    }
    __device__ void merge(float otherMost, float otherSum, float otherWeighed)
    {
        raise(otherMost);
        const float shrink = __expf(otherMost - most);
        sum += otherSum * shrink;
        weighed += otherWeighed * shrink;
    }
    __device__ float logSumExp() const { return most + logf(sum); }
};

/// The block's sum, the same for every thread.
__device__ RunningSum mergeBlock(RunningSum mine)
{
    __shared__ float parts[3][kMostWarps];
    for (int distance = 16; distance > 0; distance /= 2) {
        const float most = __shfl_xor_sync(kAllLanes, mine.most, distance);
        const float sum = __shfl_xor_sync(kAllLanes, mine.sum, distance);
        const float weighed = __shfl_xor_sync(kAllLanes, mine.weighed, distance);
        mine.merge(most, sum, weighed);
    }
    __syncthreads();
    if (threadIdx.x % 32 == 0) {
        parts[0][threadIdx.x / 32] = mine.most;
        parts[1][threadIdx.x / 32] = mine.sum;
        parts[2][threadIdx.x / 32] = mine.weighed;
    }
    __syncthreads();
    RunningSum all;
    for (unsigned warp = 0; warp < blockDim.x / 32; ++warp)
        all.merge(parts[0][warp], parts[1][warp], parts[2][warp]);
    return all;
}

template <int kCount>
__device__ float largestOf(const float (&numbers)[kCount])
{
    float largest = numbers[0];
#pragma unroll
    for (int i = 1; i < kCount; ++i)
        largest = fmaxf(largest, numbers[i]);
    return largest;
}

template <class T, bool kIsVector>
__global__ void forwardKernel(LossProblem problem, LossResult result)
{
    const std::int64_t row = blockIdx.x;
    const T* const logits = static_cast<const T*>(problem.logits) + row * problem.vocabulary;
    const T* const teacher =
        problem.teacher ? static_cast<const T*>(problem.teacher) + row * problem.vocabulary : nullptr;
    RunningSum ours;
    RunningSum theirs;
    forEachNumber<T, kIsVector>(logits, problem.vocabulary, [&](int at, auto count) {
        float numbers[count.value];
        readPack(logits + at, numbers);
        ours.raise(largestOf(numbers));
#pragma unroll
        for (int i = 0; i < count.value; ++i)
            ours.sum += __expf(numbers[i] - ours.most);
        if (!teacher)
            return;
        float aims[count.value];
        readPack(teacher + at, aims);
        theirs.raise(largestOf(aims));
#pragma unroll
        for (int i = 0; i < count.value; ++i) {
            const float share = __expf(aims[i] - theirs.most);
            theirs.sum += share;
            theirs.weighed += share > 0 ? share * (aims[i] - numbers[i]) : 0.0f;
        }
    });
    ours = mergeBlock(ours);
    if (teacher)
        theirs = mergeBlock(theirs);
    if (threadIdx.x != 0)
        return;
    const std::int64_t target = problem.targets[row];
    const bool hasTarget = target >= 0 && target < problem.vocabulary;
    const float total = ours.logSumExp();
    result.logSumExp[row] = total;
    result.crossEntropy[row] = hasTarget ? total - widen(logits[target]) : 0.0f;
    if (teacher) {
        result.teacherLogSumExp[row] = theirs.logSumExp();
        result.divergence[row] = theirs.weighed / theirs.sum - theirs.logSumExp() + total;
    }
}

template <class T, bool kIsVector>
__global__ void backwardKernel(LossProblem problem, LossGradient gradient)
{
    const std::int64_t row = blockIdx.x;
    const T* const logits = static_cast<const T*>(problem.logits) + row * problem.vocabulary;
    T* const dLogits = static_cast<T*>(gradient.dLogits) + row * problem.vocabulary;
    const std::int64_t target = problem.targets[row];
    const bool hasTarget = target >= 0 && target < problem.vocabulary;
    const float dEntropy = gradient.dCrossEntropy && hasTarget ? gradient.dCrossEntropy[row] : 0.0f;
    const float dDivergence = gradient.dDivergence && problem.teacher ? gradient.dDivergence[row] : 0.0f;
    const float total = gradient.logSumExp[row];
    const float teacherTotal = dDivergence != 0 ? gradient.teacherLogSumExp[row] : 0.0f;
    const T* const teacher =
        dDivergence != 0 ? static_cast<const T*>(problem.teacher) + row * problem.vocabulary : nullptr;
    const bool isZero = dEntropy == 0 && dDivergence == 0;  // padding: nothing has to be read
    forEachNumber<T, kIsVector>(dLogits, problem.vocabulary, [&](int at, auto count) {
        float numbers[count.value] = {};
        if (!isZero) {
            readPack(logits + at, numbers);
#pragma unroll
            for (int i = 0; i < count.value; ++i)
                numbers[i] = (dEntropy + dDivergence) * __expf(numbers[i] - total) -
                             (at + i == target ? dEntropy : 0.0f);
        }
        if (teacher) {
            float aims[count.value];
            readPack(teacher + at, aims);
#pragma unroll
            for (int i = 0; i < count.value; ++i)
                numbers[i] -= dDivergence * __expf(aims[i] - teacherTotal);
        }
        writePack(dLogits + at, numbers);
    });
}

unsigned threadsFor(int vocabulary)
{
    return vocabulary <= 2048 ? 32u : vocabulary <= 8192 ? 128u : 32u * kMostWarps;
}

/// Calls `call(T(), whether 16 bytes can be read at a time)`.
template <class Call>
void withForm(const LossProblem& problem, bool isAlignedElsewhere, const Call& call)
{
    const bool isVector =
        isAlignedElsewhere && isAligned(problem.logits, 16) && isAligned(problem.teacher, 16);
    withAnyType(problem.precision, [&](auto number) {
        if (isVector)
            call(number, std::true_type());
        else
            call(number, std::false_type());
    });
}

}  // namespace

void tokenLossesForward(const LossProblem& problem, const LossResult& result, Stream stream)
{
    withForm(problem, true, [&](auto number, auto isVector) {
        forwardKernel<decltype(number), isVector.value>
            <<<static_cast<unsigned>(problem.rows), threadsFor(problem.vocabulary), 0, stream>>>(problem,
                                                                                                 result);
    });
}

void tokenLossesBackward(const LossProblem& problem, const LossGradient& gradient, Stream stream)
{
    withForm(problem, isAligned(gradient.dLogits, 16), [&](auto number, auto isVector) {
        backwardKernel<decltype(number), isVector.value>
            <<<static_cast<unsigned>(problem.rows), threadsFor(problem.vocabulary), 0, stream>>>(problem,
                                                                                                 gradient);
    });
}

}  // namespace hs::cuda
