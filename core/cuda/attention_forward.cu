#include "cuda/attention_problem.cuh"

namespace hs::cuda {
namespace {

/// Largest score and sum of exponentials of a query so far, over the keys this lane has seen.
struct RunningSoftmax {
    float most = -INFINITY;
    float sum = 0;

    /// Takes in the largest of the next scores; returns the factor that earlier exponentials shrink by.
    __device__ float raise(float largest)
    {
        largest = fmaxf(largest, __shfl_xor_sync(kAllLanes, largest, 1));
        largest = fmaxf(largest, __shfl_xor_sync(kAllLanes, largest, 2));
        const float now = fmaxf(most, largest);
        const float shrink = now == -INFINITY ? 1.0f : __expf(most - now);
        most = now;
        sum *= shrink;
        return shrink;
    }
    /// What is subtracted from scores; finite even where no key was visible.
    __device__ float base() const { return most == -INFINITY ? 0.0f : most; }
    __device__ void finish()
    {
        sum += __shfl_xor_sync(kAllLanes, sum, 1);
        sum += __shfl_xor_sync(kAllLanes, sum, 2);
    }
};

/// Adds up over the block in a fixed order; thread 0 writes.
__device__ void writeBlockSum(float x, float* scratch, float* target)
{
    x = sumOfWarp(x);
    __syncthreads();
    if (threadIdx.x % 32 == 0)
        scratch[threadIdx.x / 32] = x;
    __syncthreads();
    if (threadIdx.x != 0)
        return;
    float sum = 0;
    for (unsigned warp = 0; warp < blockDim.x / 32; ++warp)
        sum += scratch[warp];
    *target = sum;
}

template <class Form>
constexpr std::size_t kForwardBytes = (Form::kRowTile + 2 * Form::kColTile) * sizeof(typename Form::Number);

template <class Form>
__global__ void __launch_bounds__(Form::kThreads)
    forwardKernel(AttentionProblem problem, AttentionResult result, bool isVector)
{
    using T = typename Form::Number;
    static_assert(kForwardBytes<Form> >= Form::kSumBytes);
    extern __shared__ float4 sharedMemory[];
    auto* const shared = reinterpret_cast<float*>(sharedMemory);
    T* const queries = reinterpret_cast<T*>(sharedMemory);
    T* const keys = queries + Form::kRowTile;
    T* const values = keys + Form::kColTile;
    constexpr int kN = Form::kCols / 8;

    const int tile = static_cast<int>(gridDim.x - 1 - blockIdx.x);  // those with most keys first
    const int head = static_cast<int>(blockIdx.y);
    const int prompt = static_cast<int>(blockIdx.z);
    const int kvHead = head / (problem.heads / problem.kvHeads);
    const int firstQuery = tile * Form::kRows;
    const int end = realLength(problem, prompt);
    const Lane lane;
    const auto* const qkv = static_cast<const T*>(problem.qkv);
    const auto keyRows = packedRows(problem, qkv, prompt, problem.heads + kvHead, isVector);
    const auto valueRows =
        packedRows(problem, qkv, prompt, problem.heads + problem.kvHeads + kvHead, isVector);
    const bool isGated = problem.gate != GateKind::None;
    const float bias = isGated ? *problem.bias : 0.0f;
    std::uint64_t noise[2] = {};
    if (problem.gate == GateKind::Sampled)
        for (int half = 0; half < 2; ++half)
            noise[half] =
                noiseOfRow(problem.noise, problem.layer, prompt, head, firstQuery + lane.row(2 * half));

    clearBeyond<Form>(problem.headDim, queries, Form::kRows + 2 * Form::kCols);
    loadTile<Form, Form::kRows>(queries, packedRows(problem, qkv, prompt, head, isVector), firstQuery, end);

    RunningSoftmax rows[2];
    float sums[Form::kDim / 8][4] = {};
    float expected = 0;
    float active = 0;
    const int firstVisible = problem.window > 0 ? max(0, firstQuery - problem.window + 1) : 0;
    const int endVisible = firstQuery < end ? min(firstQuery + Form::kRows, end) : 0;
    for (int firstKey = firstVisible / Form::kCols * Form::kCols; firstKey < endVisible;
         firstKey += Form::kCols) {
        __syncthreads();
        loadTile<Form, Form::kCols>(keys, keyRows, firstKey, end);
        loadTile<Form, Form::kCols>(values, valueRows, firstKey, end);
        __syncthreads();
        float cells[kN][4];
        multiplyRows<Form>(cells, queries, keys, lane);
        float largest[2] = {-INFINITY, -INFINITY};
#pragma unroll
        for (int n = 0; n < kN; ++n)
#pragma unroll
            for (int c = 0; c < 4; ++c) {
                const int query = firstQuery + lane.row(c);
                const bool isShown = query < end && isVisible(problem, query, firstKey + lane.col(n, c));
                cells[n][c] = isShown ? problem.scale * cells[n][c] : -INFINITY;
                largest[c / 2] = fmaxf(largest[c / 2], cells[n][c]);
            }
        const float shrink[2] = {rows[0].raise(largest[0]), rows[1].raise(largest[1])};
#pragma unroll
        for (int n = 0; n < kN; ++n)
#pragma unroll
            for (int c = 0; c < 4; ++c) {
                const float score = cells[n][c];
                float weight = __expf(score - rows[c / 2].base());
                rows[c / 2].sum += weight;
                if (isGated) {
                    const CellGate gate =
                        gateOf(problem.gate, score + bias, noise[c / 2], firstKey + lane.col(n, c));
                    expected += gate.chance;
                    active += gate.isOpen ? 1.0f : 0.0f;
                    weight = gate.isOpen ? weight : 0.0f;
                }
                cells[n][c] = weight;
            }
#pragma unroll
        for (int d = 0; d < Form::kDim / 8; ++d)
#pragma unroll
            for (int c = 0; c < 4; ++c)
                sums[d][c] *= shrink[c / 2];
        weighRows<Form>(sums, cells, values, lane);
    }

    const std::int64_t map = static_cast<std::int64_t>(prompt) * problem.heads + head;
    float inverse[2];
#pragma unroll
    for (int half = 0; half < 2; ++half) {
        rows[half].finish();
        inverse[half] = rows[half].sum > 0 ? 1.0f / rows[half].sum : 0.0f;
        const int query = firstQuery + lane.row(2 * half);
        if (lane.t == 0 && query < problem.length)
            result.logSumExp[map * problem.length + query] =
                rows[half].sum > 0 ? rows[half].most + logf(rows[half].sum) : 0.0f;
    }
#pragma unroll
    for (int d = 0; d < Form::kDim / 8; ++d)
#pragma unroll
        for (int c = 0; c < 4; ++c)
            sums[d][c] *= inverse[c / 2];
    storeSums<Form>(shared, sums, 1.0f,
                    outputRows(problem, static_cast<T*>(result.z), prompt, head, isVector), firstQuery,
                    problem.length, lane);
    if (isGated) {
        const std::int64_t place = map * gridDim.x + tile;
        writeBlockSum(expected, shared, result.expected + place);
        writeBlockSum(active, shared, result.active + place);
    }
}

}  // namespace

int attentionTiles(const AttentionProblem& problem)
{
    int tiles = 0;
    withTileForm(problem, [&](auto form) { tiles = (problem.length + form.kRows - 1) / form.kRows; });
    return tiles;
}

void attentionForward(const AttentionProblem& problem, const AttentionResult& result, Stream stream)
{
    const bool isVector = canReadVectors(problem) && isAligned(result.z, 16);
    withTileForm(problem, [&](auto form) {
        using Form = decltype(form);
        auto* const kernel = &forwardKernel<Form>;
        allowSharedMemory(kernel, kForwardBytes<Form>);
        const dim3 grid(static_cast<unsigned>((problem.length + Form::kRows - 1) / Form::kRows),
                        static_cast<unsigned>(problem.heads), static_cast<unsigned>(problem.prompts));
        kernel<<<grid, Form::kThreads, kForwardBytes<Form>, stream>>>(problem, result, isVector);
    });
}

}  // namespace hs::cuda
