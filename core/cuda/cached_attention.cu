#include "cuda/attention_problem.cuh"
#include "cuda/cached_attention.h"
#include "cuda/numbers.cuh"

#include <algorithm>

namespace hs::cuda {
namespace {

constexpr int kThreads = 128;
constexpr int kWarps = kThreads / 32;
constexpr int kDims = 8;                          // that a thread has of each key and value
constexpr int kMostHeadsAtOnce = 4;               // of a group, that share what is read
constexpr std::size_t kMostShared = 160u * 1024;  // bytes that a block may take

/// How the threads of a block share its work.
struct Shares {
    int lanes = 0;  // threads side by side on one key, a power of two
    bool isVector = false;

    __host__ __device__ int groups() const { return kThreads / lanes; }  // keys at a time
};

/// Numbers [first, first + 8) of a row; zero behind its end.
template <class T>
__device__ void readDims(const T* row, int first, int size, bool isVector, float (&numbers)[kDims])
{
    if (isVector && first < size)
        return readPack(row + first, numbers);
#pragma unroll
    for (int i = 0; i < kDims; ++i)
        numbers[i] = first + i < size ? widen(row[first + i]) : 0.0f;
}

/// The newest token's part of the packed row, turned and rounded as it is kept.
template <class T>
__device__ float newestNumber(const CachedAttentionProblem& problem, const T* head, int dim, bool isTurned)
{
    const int pairs = problem.rotatedPairs;
    float x = widen(head[dim]);
    if (isTurned && dim < 2 * pairs) {
        const float partner = dim < pairs ? -widen(head[dim + pairs]) : widen(head[dim - pairs]);
        x = x * problem.cos[dim % pairs] + partner * problem.sin[dim % pairs];
    }
    return widen(narrowed<T>(x));
}

/// A block's shared memory.
template <int kHeads>
struct Room {
    float* queries;  // [kHeads][headDim]
    float* newest;   // [2][headDim] key and value
    float* totals;   // [kHeads] of the weights
    float* weights;  // [kHeads][seen]
    float* sums;     // [group of threads][kHeads][headDim]

    __device__ Room(float* memory, const CachedAttentionProblem& problem)
        : queries(memory), newest(queries + kHeads * problem.headDim), totals(newest + 2 * problem.headDim),
          weights(totals + kHeads), sums(weights + kHeads * problem.seen())
    {
    }
};

/// A warp makes weights that do not yet sum to one of a head's scores.
__device__ void weigh(float* scores, int seen, float& total)
{
    const int lane = static_cast<int>(threadIdx.x % 32);
    float largest = -INFINITY;
    for (int key = lane; key < seen; key += 32)
        largest = fmaxf(largest, scores[key]);
    for (int distance = 16; distance > 0; distance /= 2)
        largest = fmaxf(largest, __shfl_xor_sync(kAllLanes, largest, distance));
    float sum = 0;
    for (int key = lane; key < seen; key += 32) {
        scores[key] = __expf(scores[key] - largest);
        sum += scores[key];
    }
    sum = sumOfWarp(sum);
    if (lane == 0)
        total = sum;
}

/// A block takes some query heads of one key/value head of one document. What is kept is read once for all of
/// them, several threads to a key; the newest key and value are taken from where they were made.
template <class T, int kHeads>
__global__ void __launch_bounds__(kThreads) cachedKernel(CachedAttentionProblem problem, Shares shares)
{
    extern __shared__ float memory[];
    const Room<kHeads> room(memory, problem);
    const int size = problem.headDim, seen = problem.seen(), thread = static_cast<int>(threadIdx.x);
    const int perGroup = problem.heads / problem.kvHeads;
    const int kvHead = static_cast<int>(blockIdx.y), firstOfGroup = static_cast<int>(blockIdx.z) * kHeads;
    const int heads = min(kHeads, perGroup - firstOfGroup), firstHead = kvHead * perGroup + firstOfGroup;
    const std::int64_t document = blockIdx.x;
    const T* const row =
        static_cast<const T*>(problem.qkv) + document * (problem.heads + 2 * problem.kvHeads) * size;
    const std::int64_t cache = (document * problem.kvHeads + kvHead) * problem.room * size;
    T* const keys = static_cast<T*>(problem.keys) + cache;
    T* const values = static_cast<T*>(problem.values) + cache;

    for (int i = thread; i < kHeads * size; i += kThreads)
        room.queries[i] =
            i < heads * size
                ? problem.scale * newestNumber(problem, row + (firstHead + i / size) * size, i % size, true)
                : 0.0f;
    for (int i = thread; i < 2 * size; i += kThreads) {
        const bool isKey = i < size;
        const int slot = problem.heads + (isKey ? 0 : problem.kvHeads) + kvHead;
        const float x = newestNumber(problem, row + slot * size, i % size, isKey);
        room.newest[i] = x;
        if (firstOfGroup == 0)
            (isKey ? keys : values)[static_cast<std::int64_t>(problem.position) * size + i % size] =
                narrowed<T>(x);
    }
    __syncthreads();

    const int lane = thread % shares.lanes, group = thread / shares.lanes, dim = lane * kDims;
    const auto read = [&](const T* kept, const float* newest, int key, float(&numbers)[kDims]) {
        if (key + 1 == seen)
            readDims(newest, dim, size, false, numbers);
        else
            readDims(kept + static_cast<std::int64_t>(problem.first + key) * size, dim, size, shares.isVector,
                     numbers);
    };
    float queries[kHeads][kDims];
#pragma unroll
    for (int head = 0; head < kHeads; ++head)
        readDims(room.queries + head * size, dim, size, false, queries[head]);
    // All threads take every turn: those of a key add up together.
    for (int turn = 0; turn < seen; turn += shares.groups()) {
        const int key = turn + group;
        float numbers[kDims] = {};
        if (key < seen)
            read(keys, room.newest, key, numbers);
#pragma unroll
        for (int head = 0; head < kHeads; ++head) {
            float score = 0;
#pragma unroll
            for (int i = 0; i < kDims; ++i)
                score = fmaf(queries[head][i], numbers[i], score);
            for (int distance = shares.lanes / 2; distance > 0; distance /= 2)
                score += __shfl_xor_sync(kAllLanes, score, distance);
            if (lane == 0 && key < seen)
                room.weights[head * seen + key] =
                    problem.cap > 0 ? problem.cap * tanhf(score / problem.cap) : score;
        }
    }
    __syncthreads();
    for (int head = thread / 32; head < kHeads; head += kWarps)
        weigh(room.weights + head * seen, seen, room.totals[head]);
    __syncthreads();

    float sums[kHeads][kDims] = {};
    for (int key = group; key < seen; key += shares.groups()) {
        float numbers[kDims];
        read(values, room.newest + size, key, numbers);
#pragma unroll
        for (int head = 0; head < kHeads; ++head) {
            const float weight = room.weights[head * seen + key];
#pragma unroll
            for (int i = 0; i < kDims; ++i)
                sums[head][i] = fmaf(weight, numbers[i], sums[head][i]);
        }
    }
    for (int head = 0; head < kHeads; ++head)
        for (int i = 0; i < kDims; ++i)
            if (dim + i < size)
                room.sums[(group * kHeads + head) * size + dim + i] = sums[head][i];
    __syncthreads();
    T* const z = static_cast<T*>(problem.z) + (document * problem.heads + firstHead) * size;
    for (int i = thread; i < heads * size; i += kThreads) {
        float sum = 0;
        for (int part = 0; part < shares.groups(); ++part)
            sum += room.sums[part * kHeads * size + i];
        z[i] = narrowed<T>(sum / room.totals[i / size]);
    }
}

Shares sharesOf(const CachedAttentionProblem& problem)
{
    Shares shares{1};
    while (shares.lanes * kDims < problem.headDim)
        shares.lanes *= 2;
    shares.isVector =
        problem.headDim % kDims == 0 && isAligned(problem.keys, 32) && isAligned(problem.values, 32);
    return shares;
}

std::size_t sharedBytes(const CachedAttentionProblem& problem, int heads)
{
    const auto size = static_cast<std::size_t>(problem.headDim);
    const auto groups = static_cast<std::size_t>(sharesOf(problem).groups());
    const auto count = static_cast<std::size_t>(heads);
    return sizeof(float) * ((count + 2) * size + count + count * static_cast<std::size_t>(problem.seen()) +
                            groups * count * size);
}

/// How many heads a block takes.
int headsAtOnce(const CachedAttentionProblem& problem)
{
    int heads = std::min(kMostHeadsAtOnce, problem.heads / problem.kvHeads);
    while (heads > 1 && sharedBytes(problem, heads) > kMostShared)
        --heads;
    return heads;
}

template <class T, int kHeads>
void launch(const CachedAttentionProblem& problem, Stream stream)
{
    const std::size_t bytes = sharedBytes(problem, kHeads);
    auto* const kernel = &cachedKernel<T, kHeads>;
    allowSharedMemory(kernel, bytes);
    const int perGroup = problem.heads / problem.kvHeads;
    const dim3 grid(static_cast<unsigned>(problem.documents), static_cast<unsigned>(problem.kvHeads),
                    static_cast<unsigned>((perGroup + kHeads - 1) / kHeads));
    kernel<<<grid, kThreads, bytes, stream>>>(problem, sharesOf(problem));
}

}  // namespace

bool canAttendCached(const CachedAttentionProblem& problem)
{
    return problem.headDim <= 32 * kDims && sharedBytes(problem, 1) <= kMostShared;
}

void cachedAttention(const CachedAttentionProblem& problem, Stream stream)
{
    withType(problem.precision, [&](auto number) {
        using T = decltype(number);
        switch (headsAtOnce(problem)) {
        case 1: return launch<T, 1>(problem, stream);
        case 2: return launch<T, 2>(problem, stream);
        case 3: return launch<T, 3>(problem, stream);
        default: return launch<T, kMostHeadsAtOnce>(problem, stream);
        }
    });
}

}  // namespace hs::cuda
