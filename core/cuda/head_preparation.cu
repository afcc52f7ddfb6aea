#include "cuda/attention_problem.cuh"
#include "cuda/head_preparation.h"
#include "cuda/numbers.cuh"

namespace hs::cuda {
namespace {

constexpr int kThreads = 256;
constexpr int kWarps = kThreads / 32;

/// A row's queries or keys, side by side.
struct HeadRun {
    int first = 0;  // where they begin in the row
    int count = 0;  // heads
    const void* scale = nullptr;
};

/// One over the root mean square of `count` numbers, computed by a warp.
__device__ float inverseOf(const float* numbers, int count, float eps)
{
    float squares = 0;
    for (int i = static_cast<int>(threadIdx.x % 32); i < count; i += 32)
        squares = fmaf(numbers[i], numbers[i], squares);
    return rsqrtf(sumOfWarp(squares) / static_cast<float>(count) + eps);
}

template <class T>
__device__ void normHeads(const HeadPreparation& problem, const HeadRun& run, float* row)
{
    const int warp = static_cast<int>(threadIdx.x / 32);
    const bool isPerHead = problem.norm == HeadNorm::PerHead;
    const int width = isPerHead ? problem.headDim : run.count * problem.headDim;
    const int groups = isPerHead ? run.count : 1;
    for (int group = warp; group < groups; group += kWarps) {
        float* const numbers = row + run.first + group * width;
        const float inverse = inverseOf(numbers, width, problem.eps);
        __syncwarp();
        for (int i = static_cast<int>(threadIdx.x % 32); i < width; i += 32) {
            const float scale = run.scale ? widen(static_cast<const T*>(run.scale)[i]) : 1.0f;
            numbers[i] = widen(narrowed<T>(widen(narrowed<T>(numbers[i] * inverse)) * scale));
        }
    }
}

/// One block per row, whose numbers stay in shared memory until all are read.
template <class T>
__global__ void __launch_bounds__(kThreads) prepareKernel(HeadPreparation problem)
{
    extern __shared__ float row[];
    const int position = static_cast<int>(blockIdx.x);
    const int turned = (problem.heads + problem.kvHeads) * problem.headDim;
    const int width = turned + problem.kvHeads * problem.headDim;
    T* const qkv = static_cast<T*>(problem.qkv) + static_cast<std::int64_t>(position) * width;
    const auto clipped = [&](float x) {
        return problem.clip > 0 ? fminf(fmaxf(x, -problem.clip), problem.clip) : x;
    };
    for (int i = static_cast<int>(threadIdx.x); i < turned; i += kThreads)
        row[i] = clipped(widen(qkv[i]));
    if (problem.clip > 0)
        for (int i = turned + static_cast<int>(threadIdx.x); i < width; i += kThreads)
            qkv[i] = narrowed<T>(clipped(widen(qkv[i])));
    __syncthreads();
    if (problem.norm != HeadNorm::None) {
        normHeads<T>(problem, {0, problem.heads, problem.queryScale}, row);
        normHeads<T>(problem, {problem.heads * problem.headDim, problem.kvHeads, problem.keyScale}, row);
        __syncthreads();
    }
    const int pairs = problem.rotatedPairs;
    for (int i = static_cast<int>(threadIdx.x); i < turned; i += kThreads) {
        const int dim = i % problem.headDim;
        float x = row[i];
        if (dim < 2 * pairs) {
            const bool isFirst = dim < pairs;
            const std::int64_t angle = static_cast<std::int64_t>(position) * pairs + dim % pairs;
            const float partner = isFirst ? -row[i + pairs] : row[i - pairs];
            x = x * problem.cos[angle] + partner * problem.sin[angle];
        }
        qkv[i] = narrowed<T>(x);
    }
}

/// For heads that are only turned: one thread for a few pairs, with nothing to wait for.
template <class T, int kCount>
__global__ void __launch_bounds__(kThreads) turnKernel(HeadPreparation problem)
{
    const int pairs = problem.rotatedPairs;
    const int parts = pairs / kCount;
    const int item = static_cast<int>(blockIdx.y) * kThreads + static_cast<int>(threadIdx.x);
    const int slot = item / parts;
    if (slot >= problem.heads + problem.kvHeads)
        return;
    const int dim = item % parts * kCount;
    const std::int64_t position = blockIdx.x;
    const std::int64_t width =
        static_cast<std::int64_t>(problem.heads + 2 * problem.kvHeads) * problem.headDim;
    T* const head = static_cast<T*>(problem.qkv) + position * width +
                    static_cast<std::int64_t>(slot) * problem.headDim + dim;
    float first[kCount];
    float second[kCount];
    readPack(head, first);
    readPack(head + pairs, second);
    turn(first, second, problem.cos + position * pairs + dim, problem.sin + position * pairs + dim, 1);
    writePack(head, first);
    writePack(head + pairs, second);
}

template <class T>
bool turnHeads(const HeadPreparation& problem, Stream stream)
{
    constexpr int kCount = 4;
    const bool isVector = problem.rotatedPairs % kCount == 0 && problem.headDim % kCount == 0 &&
                          isAligned(problem.qkv, kCount * sizeof(T)) && isAligned(problem.cos, 16) &&
                          isAligned(problem.sin, 16);
    if (!isVector || problem.clip > 0 || problem.norm != HeadNorm::None)
        return false;
    const int items = (problem.heads + problem.kvHeads) * problem.rotatedPairs / kCount;
    const dim3 grid(static_cast<unsigned>(problem.length),
                    static_cast<unsigned>((items + kThreads - 1) / kThreads));
    turnKernel<T, kCount><<<grid, kThreads, 0, stream>>>(problem);
    return true;
}

}  // namespace

void prepareHeads(const HeadPreparation& problem, Stream stream)
{
    if (!problem.isNeeded())
        return;
    withAnyType(problem.precision, [&](auto number) {
        if (turnHeads<decltype(number)>(problem, stream))
            return;
        auto* const kernel = &prepareKernel<decltype(number)>;
        const std::size_t bytes = static_cast<std::size_t>(problem.heads + problem.kvHeads) *
                                  static_cast<std::size_t>(problem.headDim) * sizeof(float);
        allowSharedMemory(kernel, bytes);
        kernel<<<static_cast<unsigned>(problem.length), kThreads, bytes, stream>>>(problem);
    });
}

}  // namespace hs::cuda
