#include "cuda/attention_backward_passes.cuh"
#include "cuda/attention_problem.cuh"

namespace hs::cuda {
namespace {

/// Gradients of a tile of keys and values: maps are transposed here, a row per key, a column per query.
template <class Form>
__global__ void __launch_bounds__(Form::kThreads)
    keysKernel(AttentionProblem problem, AttentionGradient gradient, bool isVector)
{
    using T = typename Form::Number;
    static_assert(kBackwardBytes<Form> >= Form::kSumBytes);
    extern __shared__ float4 sharedMemory[];
    auto* const shared = reinterpret_cast<float*>(sharedMemory);
    T* const keys = reinterpret_cast<T*>(sharedMemory);
    T* const values = keys + Form::kRowTile;
    T* const queries = values + Form::kRowTile;
    T* const dOutputs = queries + Form::kColTile;
    __shared__ QueryFacts facts[Form::kCols];
    constexpr int kN = Form::kCols / 8;

    const int firstKey = static_cast<int>(blockIdx.x) * Form::kRows;
    const int kvHead = static_cast<int>(blockIdx.y);
    const int prompt = static_cast<int>(blockIdx.z);
    const int perGroup = problem.heads / problem.kvHeads;
    const int keySlot = problem.heads + kvHead;
    const int valueSlot = problem.heads + problem.kvHeads + kvHead;
    const int end = realLength(problem, prompt);
    const Lane lane;
    const auto* const qkv = static_cast<const T*>(problem.qkv);
    const float bias = problem.gate != GateKind::None ? *problem.bias : 0.0f;

    clearBeyond<Form>(problem.headDim, keys, 2 * Form::kRows + 2 * Form::kCols);
    loadTile<Form, Form::kRows>(keys, packedRows(problem, qkv, prompt, keySlot, isVector), firstKey, end);
    loadTile<Form, Form::kRows>(values, packedRows(problem, qkv, prompt, valueSlot, isVector), firstKey, end);

    float dKeys[Form::kDim / 8][4] = {};
    float dValues[Form::kDim / 8][4] = {};
    const int lastSeer = firstKey + Form::kRows - 2 + problem.window;
    const int endQuery = firstKey >= end ? 0 : problem.window > 0 ? min(end, lastSeer + 1) : end;
    for (int head = kvHead * perGroup; head < (kvHead + 1) * perGroup; ++head) {
        const std::int64_t map = static_cast<std::int64_t>(prompt) * problem.heads + head;
        const float dExpected = gradient.dExpected ? gradient.dExpected[map] : 0.0f;
        const auto queryRows = packedRows(problem, qkv, prompt, head, isVector);
        const auto dRows = outputRows(problem, static_cast<const T*>(gradient.dz), prompt, head, isVector);
        for (int firstQuery = firstKey / Form::kCols * Form::kCols; firstQuery < endQuery;
             firstQuery += Form::kCols) {
            __syncthreads();
            loadTile<Form, Form::kCols>(queries, queryRows, firstQuery, end);
            loadTile<Form, Form::kCols>(dOutputs, dRows, firstQuery, end);
            for (int i = static_cast<int>(threadIdx.x); i < Form::kCols; i += Form::kThreads) {
                const int query = firstQuery + i;
                QueryFacts fact = {};
                if (query < end) {
                    fact.logSumExp = gradient.logSumExp[map * problem.length + query];
                    fact.delta = gradient.delta[map * problem.length + query];
                    if (problem.gate == GateKind::Sampled)
                        fact.noise = noiseOfRow(problem.noise, problem.layer, prompt, head, query);
                }
                facts[i] = fact;
            }
            __syncthreads();
            float cells[kN][4];
            float dWeights[kN][4];
            multiplyRows<Form>(cells, keys, queries, lane);
            multiplyRows<Form>(dWeights, values, dOutputs, lane);
#pragma unroll
            for (int n = 0; n < kN; ++n)
#pragma unroll
                for (int c = 0; c < 4; ++c) {
                    const CellGradient cell =
                        gradientOf(problem, cells[n][c], dWeights[n][c], firstQuery + lane.col(n, c),
                                   firstKey + lane.row(c), end, facts[lane.col(n, c)], bias, dExpected);
                    cells[n][c] = cell.dScore;
                    dWeights[n][c] = cell.weight;
                }
            weighRows<Form>(dKeys, cells, queries, lane);
            weighRows<Form>(dValues, dWeights, dOutputs, lane);
        }
    }
    auto* const dqkv = static_cast<T*>(gradient.dqkv);
    storeSums<Form>(shared, dKeys, problem.scale, packedRows(problem, dqkv, prompt, keySlot, isVector),
                    firstKey, problem.length, lane);
    storeSums<Form>(shared, dValues, 1.0f, packedRows(problem, dqkv, prompt, valueSlot, isVector), firstKey,
                    problem.length, lane);
}

}  // namespace

void attentionBackwardOfKeys(const AttentionProblem& problem, const AttentionGradient& gradient,
                             bool isVector, Stream stream)
{
    withTileForm(problem, [&](auto form) {
        using Form = decltype(form);
        auto* const kernel = &keysKernel<Form>;
        allowSharedMemory(kernel, kBackwardBytes<Form>);
        const dim3 grid(static_cast<unsigned>((problem.length + Form::kRows - 1) / Form::kRows),
                        static_cast<unsigned>(problem.kvHeads), static_cast<unsigned>(problem.prompts));
        kernel<<<grid, Form::kThreads, kBackwardBytes<Form>, stream>>>(problem, gradient, isVector);
    });
}

}  // namespace hs::cuda
