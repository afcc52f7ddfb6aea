#include "cuda/activation_math.h"
#include "cuda/async_copies.cuh"
#include "cuda/check.h"
#include "cuda/split_products.cuh"
#include "cuda/thin_product.h"

#include <cooperative_groups.h>

#include <optional>

namespace hs::cuda {
namespace {

// With few rows a product takes as long as its weights take to arrive, and they arrive fast only if every
// multiprocessor asks for its share. A block has all rows of a few columns. Its warps, and those of the other
// block of a pair, divide the inner dimension: each goes through its own steps without waiting for others,
// and their sums are added up at the end, in a fixed order.
constexpr int kWarps = 8;
constexpr int kThreads = 32 * kWarps;
constexpr int kStep = 16;   // inner positions that a warp takes at once
constexpr int kStages = 3;  // steps of a warp that are in flight or loaded
constexpr int kInputStride = kStep + 4;

/// How a block is cut, and a step of one of its warps laid out in shared memory: inputs [row, in], then
/// weights as they are stored. The strides let the lanes of a warp read from 32 banks.
template <int kRowTileCount, int kEightsOfColumns, bool kIsTransposedWeight>
struct ThinForm {
    static constexpr int kRowTiles = kRowTileCount;  // of sixteen
    static constexpr int kRows = 16 * kRowTiles;
    static constexpr int kEights = kEightsOfColumns;
    static constexpr int kColumns = 8 * kEights;
    static constexpr bool kIsTransposed = kIsTransposedWeight;
    static constexpr int kWeightStride = kIsTransposed ? kColumns + (kEights % 2 == 0 ? 8 : 0) : kStep + 4;
    static constexpr int kInputs = kRows * kInputStride;
    static constexpr int kWeights = (kIsTransposed ? kStep : kColumns) * kWeightStride;
    static constexpr int kStage = kInputs + kWeights;
    static constexpr int kWarpNumbers = kStages * kStage;
    static constexpr int kPartStride = kColumns + 2;  // of a warp's sums, where its steps were
    static constexpr int kPairs = kColumns / 2;       // of columns
    static constexpr std::size_t kBytes = sizeof(float) * kWarps * kWarpNumbers;
    static_assert(kRows * kPartStride <= kWarpNumbers);
};

__device__ inline int laneIndex()
{
    return static_cast<int>(threadIdx.x) % 32;
}

template <class Form>
__device__ void copyWeights(float* target, const ThinProduct& product, int firstColumn, int firstIn)
{
    constexpr int kLines = Form::kIsTransposed ? kStep : Form::kColumns;
    constexpr int kChunks = (Form::kIsTransposed ? Form::kColumns : kStep) / 4;
#pragma unroll
    for (int i = laneIndex(); i < kLines * kChunks; i += 32) {
        const int line = i / kChunks;
        const int at = i % kChunks * 4;
        const int column = firstColumn + (Form::kIsTransposed ? at : line);
        const bool isThere = column < product.out;
        const std::int64_t source = Form::kIsTransposed
                                        ? static_cast<std::int64_t>(firstIn + line) * product.out + column
                                        : static_cast<std::int64_t>(column) * product.in + firstIn + at;
        copyAsync(target + line * Form::kWeightStride + at, product.weight + (isThere ? source : 0), isThere);
    }
}

template <class Form>
__device__ void copyInputs(float* target, const ThinProduct& product, int firstIn)
{
    constexpr int kChunks = kStep / 4;
#pragma unroll
    for (int i = laneIndex(); i < Form::kRows * kChunks; i += 32) {
        const int row = i / kChunks;
        const int at = i % kChunks * 4;
        const bool isThere = row < product.rows;
        const std::int64_t source = row * product.inputStride + firstIn + at;
        copyAsync(target + row * kInputStride + at, product.x + (isThere ? source : 0), isThere);
    }
}

/// sums += the products of a step.
template <class Form>
__device__ void addStep(float (&sums)[Form::kRowTiles][Form::kEights][4], const float* stage,
                        const Lane& lane)
{
    const float* const weights = stage + Form::kInputs;
#pragma unroll
    for (int k = 0; k < kStep; k += 8) {
        SplitNumber factors[Form::kEights][2];
#pragma unroll
        for (int n = 0; n < Form::kEights; ++n)
#pragma unroll
            for (int half = 0; half < 2; ++half) {
                const int in = k + 4 * half + lane.t;
                const int column = 8 * n + lane.g;
                factors[n][half] =
                    SplitNumber(weights[Form::kIsTransposed ? in * Form::kWeightStride + column
                                                            : column * Form::kWeightStride + in]);
            }
#pragma unroll
        for (int tile = 0; tile < Form::kRowTiles; ++tile) {
            const float* const low = stage + (16 * tile + lane.g) * kInputStride + k + lane.t;
            const float* const high = low + 8 * kInputStride;
            const SplitNumber inputs[4] = {SplitNumber(low[0]), SplitNumber(high[0]), SplitNumber(low[4]),
                                           SplitNumber(high[4])};
#pragma unroll
            for (int n = 0; n < Form::kEights; ++n)
                multiplySplit(sums[tile][n], inputs, factors[n][0], factors[n][1]);
        }
    }
}

/// Waits for all warps whose sums a block adds up.
__device__ inline void meet(int blocksTogether)
{
#if __CUDA_ARCH__ >= 900
    if (blocksTogether > 1) {
        cooperative_groups::this_cluster().sync();
        return;
    }
#endif
    __syncthreads();
}

__device__ inline const float* memoryOf(float* shared, int rank, int blocksTogether)
{
#if __CUDA_ARCH__ >= 900
    if (blocksTogether > 1)
        return cooperative_groups::this_cluster().map_shared_rank(shared, rank);
#endif
    return shared;
}

/// Adds up a block's share of the warps' sums and writes it to the result. Bias and addend are requested
/// before anything waits.
template <class Form>
__device__ void finishColumns(float* shared, const ThinProduct& product, int firstColumn, int rank,
                              int blocksTogether)
{
    constexpr int kRounds = (Form::kRows * Form::kPairs + kThreads - 1) / kThreads;
    float2 sums[kRounds];
    const auto forEachPair = [&](const auto& visit) {
#pragma unroll
        for (int i = 0; i < kRounds; ++i) {
            const int pair = (i * blocksTogether + rank) * kThreads + static_cast<int>(threadIdx.x);
            const int row = pair / Form::kPairs;
            const int column = pair % Form::kPairs * 2;
            if (row < product.rows && firstColumn + column < product.out)
                visit(sums[i], row, column,
                      static_cast<std::int64_t>(row) * product.out + firstColumn + column);
        }
    };
    forEachPair([&](float2& sum, int, int column, std::int64_t at) {
        sum = product.bias ? *reinterpret_cast<const float2*>(product.bias + firstColumn + column)
                           : float2{0, 0};
        if (product.addend) {
            const auto addend = *reinterpret_cast<const float2*>(product.addend + at);
            sum = {sum.x + addend.x, sum.y + addend.y};
        }
    });
    meet(blocksTogether);
    forEachPair([&](float2& sum, int row, int column, std::int64_t at) {
        for (int other = 0; other < blocksTogether; ++other) {
            const float* const parts =
                memoryOf(shared, other, blocksTogether) + row * Form::kPartStride + column;
#pragma unroll
            for (int warp = 0; warp < kWarps; ++warp) {
                const auto part = *reinterpret_cast<const float2*>(parts + warp * Form::kWarpNumbers);
                sum = {sum.x + part.x, sum.y + part.y};
            }
        }
        if (product.hasGelu)
            sum = {activated(ActivationKind::GeluTanh, sum.x).value,
                   activated(ActivationKind::GeluTanh, sum.y).value};
        *reinterpret_cast<float2*>(product.y + at) = sum;
    });
    if (blocksTogether > 1)
        meet(blocksTogether);  // neither leaves while the other reads
}

template <class Form>
__global__ void __launch_bounds__(kThreads) thinKernel(ThinProduct product, int blocksTogether)
{
    extern __shared__ float4 sharedMemory[];
    float* const shared = reinterpret_cast<float*>(sharedMemory);
    const int rank = static_cast<int>(blockIdx.x) % blocksTogether;
    const int firstColumn = static_cast<int>(blockIdx.x) / blocksTogether * Form::kColumns;
    const int warp = static_cast<int>(threadIdx.x) / 32;
    const int share = rank * kWarps + warp;
    const int firstStep = product.in / kStep * share / (kWarps * blocksTogether);
    const int endStep = product.in / kStep * (share + 1) / (kWarps * blocksTogether);
    float* const own = shared + warp * Form::kWarpNumbers;
    const Lane lane;

    const auto stageOf = [&](int step) { return own + (step - firstStep) % kStages * Form::kStage; };
    const auto begin = [&](int step) {
        if (step < endStep) {
            copyInputs<Form>(stageOf(step), product, step * kStep);
            copyWeights<Form>(stageOf(step) + Form::kInputs, product, firstColumn, step * kStep);
        }
        commitCopies();
    };
    float sums[Form::kRowTiles][Form::kEights][4] = {};
#pragma unroll
    for (int i = 0; i < kStages - 1; ++i)
        begin(firstStep + i);
    for (int step = firstStep; step < endStep; ++step) {
        awaitCopies<kStages - 2>();
        __syncwarp();  // the other lanes' copies have arrived, and they are done with the next stage
        begin(step + kStages - 1);
        addStep<Form>(sums, stageOf(step), lane);
    }
    awaitCopies<0>();
    __syncwarp();
#pragma unroll
    for (int tile = 0; tile < Form::kRowTiles; ++tile)
#pragma unroll
        for (int n = 0; n < Form::kEights; ++n)
#pragma unroll
            for (int half = 0; half < 2; ++half) {
                const int row = 16 * tile + 8 * half + lane.g;
                *reinterpret_cast<float2*>(own + row * Form::kPartStride + lane.col(n, 0)) = {
                    sums[tile][n][2 * half], sums[tile][n][2 * half + 1]};
            }
    finishColumns<Form>(shared, product, firstColumn, rank, blocksTogether);
}

struct Cut {
    int eights = 0;  // of columns of a block
    int blocksTogether = 1;
    double cost = 0;
};

struct Device {
    int processors = 0;
    int sharedBytes = 0;
    bool hasClusters = false;

    Device()
    {
        int device = 0;
        int major = 0;
        check(cudaGetDevice(&device));
        check(cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device));
        check(cudaDeviceGetAttribute(&sharedBytes, cudaDevAttrMaxSharedMemoryPerBlockOptin, device));
        check(cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, device));
        hasClusters = major >= 9;
    }
};

/// Calls `call` with the form of a product for blocks of that many columns.
template <class Call>
void withForm(const ThinProduct& product, int eights, const Call& call)
{
    const auto withColumns = [&](auto tiles, auto isTransposed) {
        constexpr int kTiles = decltype(tiles)::value;
        constexpr bool kIsTransposed = decltype(isTransposed)::value;
        if (eights == 2)
            call(ThinForm<kTiles, 2, kIsTransposed>());
        else if (eights == 3)
            call(ThinForm<kTiles, 3, kIsTransposed>());
        else
            call(ThinForm<kTiles, 4, kIsTransposed>());
    };
    const auto withRows = [&](auto isTransposed) {
        if (product.rows <= 32)
            withColumns(std::integral_constant<int, 2>(), isTransposed);
        else
            withColumns(std::integral_constant<int, 4>(), isTransposed);
    };
    if (product.isTransposed)
        withRows(std::true_type());
    else
        withRows(std::false_type());
}

/// The fastest cut whose blocks all run at once, if there is one.
std::optional<Cut> bestCut(const ThinProduct& product)
{
    const Device device;
    std::optional<Cut> best;
    for (int eights = 2; eights <= 4; ++eights)
        for (int blocksTogether = 1; blocksTogether <= (device.hasClusters ? 2 : 1); ++blocksTogether) {
            const int columns = 8 * eights;
            const int blocks = (product.out + columns - 1) / columns * blocksTogether;
            std::size_t bytes = 0;
            withForm(product, eights, [&](auto form) { bytes = decltype(form)::kBytes; });
            if (blocks > device.processors || bytes > static_cast<std::size_t>(device.sharedBytes))
                continue;
            const int warps = kWarps * blocksTogether;
            const int steps = (product.in / kStep + warps - 1) / warps;
            // As measured: a step's inputs cost as much as eight of its columns, and a pair has to meet.
            const double cost = steps * (columns + 8.0) + 12 * blocksTogether;
            if (!best || cost < best->cost)
                best = {eights, blocksTogether, cost};
        }
    return best;
}

template <class Form>
void launch(const ThinProduct& product, int blocksTogether, Stream stream)
{
    auto* const kernel = &thinKernel<Form>;
    check(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                               static_cast<int>(Form::kBytes)));
    const int blocks = (product.out + Form::kColumns - 1) / Form::kColumns * blocksTogether;
    cudaLaunchAttribute together = {};
    together.id = cudaLaunchAttributeClusterDimension;
    together.val.clusterDim.x = static_cast<unsigned>(blocksTogether);
    together.val.clusterDim.y = 1;
    together.val.clusterDim.z = 1;
    cudaLaunchConfig_t config = {};
    config.gridDim = dim3(static_cast<unsigned>(blocks));
    config.blockDim = dim3(kThreads);
    config.dynamicSmemBytes = Form::kBytes;
    config.stream = stream;
    config.attrs = &together;
    config.numAttrs = blocksTogether > 1 ? 1 : 0;
    check(cudaLaunchKernelEx(&config, kernel, product, blocksTogether));
}

}  // namespace

bool isThin(const ThinProduct& product)
{
    return product.rows <= kMostThinRows && product.in % kStep == 0 && product.out % 4 == 0 &&
           product.inputStride % 4 == 0 && isAligned(product.x, 16) && isAligned(product.weight, 16) &&
           isAligned(product.bias, 8) && isAligned(product.addend, 8) && isAligned(product.y, 8) &&
           bestCut(product).has_value();
}

void multiplyThin(const ThinProduct& product, Stream stream)
{
    const Cut cut = bestCut(product).value();
    withForm(product, cut.eights,
             [&](auto form) { launch<decltype(form)>(product, cut.blocksTogether, stream); });
}

}  // namespace hs::cuda
