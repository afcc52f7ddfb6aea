#include "cuda/activation_math.h"
#include "cuda/attention_problem.cuh"
#include "cuda/pattern_tiles.cuh"
#include "cuda/thin_product.h"

namespace hs::cuda {
namespace {

// With few rows a product is as fast as its weights are read, and only many blocks read fast: the inner
// dimension is cut in slices, whose parts of the sum the last block of a tile adds up, in one order.
constexpr int kBlocks = 160;
constexpr int kMostSlices = 16;

/// A tile of 64 x 64 numbers in shared memory.
template <bool kIsTransposed>
struct WeightForm {
    static constexpr int kDim = kThinTile;
    static constexpr int kRows = kThinTile;
    static constexpr int kThreads = kRows / 16 * 32;
    static constexpr int kChunk = 4;
    // So that the lanes of a warp read from 32 banks, along rows or down columns.
    static constexpr int kStride = kThinTile + (kIsTransposed ? 8 : 4);
};
using InputForm = WeightForm<false>;

template <bool kIsTransposed>
struct SharedThin {
    alignas(16) float inputs[2][kThinTile * InputForm::kStride];
    alignas(16) float weights[2][kThinTile * WeightForm<kIsTransposed>::kStride];
    bool isLast;
};

struct ThinScratch {
    unsigned* finished = nullptr;  // [tile]: blocks that are done; zero between launches
    float* parts = nullptr;        // [slice, row, out]
};

template <bool kIsTransposed>
__device__ void addTile(float (&cells)[kThinTile / 8][4], const float* inputs, const float* weights,
                        const Lane& lane)
{
    using Form = WeightForm<kIsTransposed>;
    const float* const low = inputs + lane.row(0) * InputForm::kStride + lane.t;
    const float* const high = inputs + lane.row(2) * InputForm::kStride + lane.t;
#pragma unroll 2
    for (int k = 0; k < kThinTile; k += 8) {
        const SplitNumber factors[4] = {SplitNumber(low[k]), SplitNumber(high[k]), SplitNumber(low[k + 4]),
                                        SplitNumber(high[k + 4])};
#pragma unroll
        for (int n = 0; n < kThinTile / 8; ++n) {
            const int column = 8 * n + lane.g;
            const int first =
                kIsTransposed ? (k + lane.t) * Form::kStride + column : column * Form::kStride + k + lane.t;
            const int step = kIsTransposed ? 4 * Form::kStride : 4;
            multiplySplit(cells[n], factors, SplitNumber(weights[first]), SplitNumber(weights[first + step]));
        }
    }
}

__device__ inline void writeRow(const ThinProduct& product, int row, int column, float2 sum)
{
    const std::int64_t at = static_cast<std::int64_t>(row) * product.out + column;
    float values[2] = {sum.x, sum.y};
#pragma unroll
    for (int i = 0; i < 2; ++i) {
        if (product.bias)
            values[i] += product.bias[column + i];
        if (product.addend)
            values[i] += product.addend[at + i];
        if (product.hasGelu)
            values[i] = activated(ActivationKind::GeluTanh, values[i]).value;
    }
    *reinterpret_cast<float2*>(product.y + at) = {values[0], values[1]};
}

/// A block is a tile of 64 columns and a slice of the inner dimension.
template <bool kIsTransposed>
__global__ void __launch_bounds__(InputForm::kThreads) thinKernel(ThinProduct product, ThinScratch scratch)
{
    extern __shared__ float4 sharedMemory[];
    auto& shared = *reinterpret_cast<SharedThin<kIsTransposed>*>(sharedMemory);
    using Form = WeightForm<kIsTransposed>;
    const int firstColumn = static_cast<int>(blockIdx.x) * kThinTile;
    const int slices = static_cast<int>(gridDim.y);
    const int slice = static_cast<int>(blockIdx.y);
    const int chunks = product.in / kThinTile;
    const int firstChunk = chunks * slice / slices;
    const int endChunk = chunks * (slice + 1) / slices;
    const Lane lane;

    const auto begin = [&](int chunk) {
        if (chunk < endChunk) {
            const int firstIn = chunk * kThinTile;
            const HeadRows<const float> inputs = {
                product.x + firstIn, product.inputStride, kThinTile, 0, nullptr, nullptr, true};
            copyTile<InputForm, kThinTile>(shared.inputs[chunk % 2], inputs, 0, product.rows);
            const std::int64_t corner = kIsTransposed
                                            ? static_cast<std::int64_t>(firstIn) * product.out + firstColumn
                                            : static_cast<std::int64_t>(firstColumn) * product.in + firstIn;
            const HeadRows<const float> weights = {product.weight + corner,
                                                   kIsTransposed ? product.out : product.in,
                                                   kThinTile,
                                                   0,
                                                   nullptr,
                                                   nullptr,
                                                   true};
            copyTile<Form, kThinTile>(shared.weights[chunk % 2], weights, 0, kThinTile);
        }
        commitCopies();
    };
    float cells[kThinTile / 8][4] = {};
    begin(firstChunk);
    for (int chunk = firstChunk; chunk < endChunk; ++chunk) {
        begin(chunk + 1);
        awaitCopies<1>();
        __syncthreads();
        addTile<kIsTransposed>(cells, shared.inputs[chunk % 2], shared.weights[chunk % 2], lane);
        __syncthreads();
    }

    const auto forEachPair = [&](const auto& visit) {
#pragma unroll
        for (int n = 0; n < kThinTile / 8; ++n)
#pragma unroll
            for (int half = 0; half < 2; ++half)
                if (lane.row(2 * half) < product.rows)
                    visit(lane.row(2 * half), firstColumn + lane.col(n, 0),
                          float2{cells[n][2 * half], cells[n][2 * half + 1]});
    };
    if (slices == 1) {
        forEachPair([&](int row, int column, float2 sum) { writeRow(product, row, column, sum); });
        return;
    }
    const std::int64_t partSize = static_cast<std::int64_t>(product.rows) * product.out;
    forEachPair([&](int row, int column, float2 sum) {
        float* const part = scratch.parts + slice * partSize + static_cast<std::int64_t>(row) * product.out;
        *reinterpret_cast<float2*>(part + column) = sum;
    });
    __threadfence();
    __syncthreads();
    if (threadIdx.x == 0) {
        shared.isLast = atomicAdd(scratch.finished + blockIdx.x, 1u) == gridDim.y - 1;
        if (shared.isLast)
            scratch.finished[blockIdx.x] = 0;
    }
    __syncthreads();
    if (!shared.isLast)
        return;
    __threadfence();
    forEachPair([&](int row, int column, float2) {
        const float* const first = scratch.parts + static_cast<std::int64_t>(row) * product.out + column;
        float2 sum = {0, 0};
#pragma unroll 4
        for (int other = 0; other < slices; ++other) {
            const float2 part = __ldcg(reinterpret_cast<const float2*>(first + other * partSize));
            sum.x += part.x;
            sum.y += part.y;
        }
        writeRow(product, row, column, sum);
    });
}

std::size_t counterBytes(int columns)
{
    return (static_cast<std::size_t>(columns) / kThinTile * sizeof(unsigned) + 255) / 256 * 256;
}

template <bool kIsTransposed>
void launch(const ThinProduct& product, dim3 grid, const ThinScratch& scratch, Stream stream)
{
    auto* const kernel = &thinKernel<kIsTransposed>;
    allowSharedMemory(kernel, sizeof(SharedThin<kIsTransposed>));
    kernel<<<grid, InputForm::kThreads, sizeof(SharedThin<kIsTransposed>), stream>>>(product, scratch);
}

}  // namespace

bool isThin(const ThinProduct& product)
{
    return product.rows <= kThinRows && product.in % kThinTile == 0 && product.out % kThinTile == 0 &&
           product.inputStride % 4 == 0 && isAligned(product.x, 16) && isAligned(product.weight, 16) &&
           isAligned(product.y, 8);
}

std::size_t thinScratchBytes(int mostColumns)
{
    return counterBytes(mostColumns) + static_cast<std::size_t>(kMostSlices) * kThinRows *
                                           static_cast<std::size_t>(mostColumns) * sizeof(float);
}

void multiplyThin(const ThinProduct& product, Stream stream)
{
    const int tiles = product.out / kThinTile;
    const int chunks = product.in / kThinTile;
    const int slices = max(1, min(min(chunks, kMostSlices), kBlocks / tiles));
    const ThinScratch scratch = {reinterpret_cast<unsigned*>(product.scratch),
                                 reinterpret_cast<float*>(product.scratch + counterBytes(product.out))};
    const dim3 grid(static_cast<unsigned>(tiles), static_cast<unsigned>(slices));
    if (product.isTransposed)
        launch<true>(product, grid, scratch, stream);
    else
        launch<false>(product, grid, scratch, stream);
}

}  // namespace hs::cuda
