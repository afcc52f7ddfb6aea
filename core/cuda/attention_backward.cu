#include "cuda/attention_backward_passes.cuh"
#include "cuda/attention_problem.cuh"

namespace hs::cuda {
namespace {

constexpr int kDeltaThreads = 256;

/// One warp per query and head.
template <class T>
__global__ void deltaKernel(AttentionProblem problem, AttentionGradient gradient)
{
    const std::int64_t item = static_cast<std::int64_t>(blockIdx.x) * (kDeltaThreads / 32) + threadIdx.x / 32;
    const std::int64_t row = item / problem.heads;  // prompt * length + query
    const auto head = static_cast<int>(item - row * problem.heads);
    if (row >= static_cast<std::int64_t>(problem.prompts) * problem.length)
        return;
    const T* const z = static_cast<const T*>(gradient.z) + item * problem.headDim;
    const T* const dz = static_cast<const T*>(gradient.dz) + item * problem.headDim;
    float sum = 0;
    for (int d = static_cast<int>(threadIdx.x % 32); d < problem.headDim; d += 32)
        sum += widen(z[d]) * widen(dz[d]);
    sum = sumOfWarp(sum);
    const std::int64_t prompt = row / problem.length;
    const std::int64_t query = row - prompt * problem.length;
    if (threadIdx.x % 32 == 0)
        gradient.delta[(prompt * problem.heads + head) * problem.length + query] = sum;
}

template <class Form>
__global__ void __launch_bounds__(Form::kThreads)
    queriesKernel(AttentionProblem problem, AttentionGradient gradient, bool isVector)
{
    using T = typename Form::Number;
    static_assert(kBackwardBytes<Form> >= Form::kSumBytes);
    extern __shared__ float4 sharedMemory[];
    auto* const shared = reinterpret_cast<float*>(sharedMemory);
    T* const queries = reinterpret_cast<T*>(sharedMemory);
    T* const dOutputs = queries + Form::kRowTile;
    T* const keys = dOutputs + Form::kRowTile;
    T* const values = keys + Form::kColTile;
    constexpr int kN = Form::kCols / 8;

    const int tile = static_cast<int>(gridDim.x - 1 - blockIdx.x);
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
    const std::int64_t map = static_cast<std::int64_t>(prompt) * problem.heads + head;
    const float bias = problem.gate != GateKind::None ? *problem.bias : 0.0f;
    const float dExpected = gradient.dExpected ? gradient.dExpected[map] : 0.0f;
    QueryFacts facts[2] = {};
#pragma unroll
    for (int half = 0; half < 2; ++half) {
        const int query = firstQuery + lane.row(2 * half);
        if (query < end) {
            facts[half].logSumExp = gradient.logSumExp[map * problem.length + query];
            facts[half].delta = gradient.delta[map * problem.length + query];
        }
        if (problem.gate == GateKind::Sampled)
            facts[half].noise = noiseOfRow(problem.noise, problem.layer, prompt, head, query);
    }

    clearBeyond<Form>(problem.headDim, queries, 2 * Form::kRows + 2 * Form::kCols);
    loadTile<Form, Form::kRows>(queries, packedRows(problem, qkv, prompt, head, isVector), firstQuery, end);
    loadTile<Form, Form::kRows>(
        dOutputs, outputRows(problem, static_cast<const T*>(gradient.dz), prompt, head, isVector), firstQuery,
        end);

    float sums[Form::kDim / 8][4] = {};
    const int firstVisible = problem.window > 0 ? max(0, firstQuery - problem.window + 1) : 0;
    const int endVisible = firstQuery < end ? min(firstQuery + Form::kRows, end) : 0;
    for (int firstKey = firstVisible / Form::kCols * Form::kCols; firstKey < endVisible;
         firstKey += Form::kCols) {
        __syncthreads();
        loadTile<Form, Form::kCols>(keys, keyRows, firstKey, end);
        loadTile<Form, Form::kCols>(values, valueRows, firstKey, end);
        __syncthreads();
        float cells[kN][4];
        float dWeights[kN][4];
        multiplyRows<Form>(cells, queries, keys, lane);
        multiplyRows<Form>(dWeights, dOutputs, values, lane);
#pragma unroll
        for (int n = 0; n < kN; ++n)
#pragma unroll
            for (int c = 0; c < 4; ++c)
                cells[n][c] = gradientOf(problem, cells[n][c], dWeights[n][c], firstQuery + lane.row(c),
                                         firstKey + lane.col(n, c), end, facts[c / 2], bias, dExpected)
                                  .dScore;
        weighRows<Form>(sums, cells, keys, lane);
    }
    storeSums<Form>(shared, sums, problem.scale,
                    packedRows(problem, static_cast<T*>(gradient.dqkv), prompt, head, isVector), firstQuery,
                    problem.length, lane);
}

}  // namespace

void attentionBackwardOfQueries(const AttentionProblem& problem, const AttentionGradient& gradient,
                                bool isVector, Stream stream)
{
    withTileForm(problem, [&](auto form) {
        using Form = decltype(form);
        auto* const kernel = &queriesKernel<Form>;
        allowSharedMemory(kernel, kBackwardBytes<Form>);
        const dim3 grid(static_cast<unsigned>((problem.length + Form::kRows - 1) / Form::kRows),
                        static_cast<unsigned>(problem.heads), static_cast<unsigned>(problem.prompts));
        kernel<<<grid, Form::kThreads, kBackwardBytes<Form>, stream>>>(problem, gradient, isVector);
    });
}

void attentionBackward(const AttentionProblem& problem, const AttentionGradient& gradient, Stream stream)
{
    const bool isVector =
        canReadVectors(problem) && isAligned(gradient.dz, 16) && isAligned(gradient.dqkv, 16);
    const std::int64_t items = static_cast<std::int64_t>(problem.prompts) * problem.length * problem.heads;
    const auto blocks = static_cast<unsigned>((items + kDeltaThreads / 32 - 1) / (kDeltaThreads / 32));
    withType(problem.precision, [&](auto number) {
        deltaKernel<decltype(number)><<<blocks, kDeltaThreads, 0, stream>>>(problem, gradient);
    });
    attentionBackwardOfQueries(problem, gradient, isVector, stream);
    attentionBackwardOfKeys(problem, gradient, isVector, stream);
}

}  // namespace hs::cuda
