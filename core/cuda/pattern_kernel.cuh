#pragma once

#include "cuda/attention_patterns.h"
#include "cuda/attention_problem.cuh"
#include "cuda/pattern_edits.cuh"
#include "cuda/pattern_teams.cuh"

namespace hs::cuda {

constexpr int kRows = 64;  // queries of a block
// Up to this many, a large GPU has room for all at once; then two teams per block are faster than one. (Four
// were measured to be slower.)
constexpr int kFewBlocks = 264;

inline std::size_t roundedUp(std::size_t bytes)
{
    return (bytes + 15) / 16 * 16;
}

/// What blocks leave for the last one of their slot: of a head in a prompt.
struct Scratch {
    unsigned* finished = nullptr;      // [slot]: blocks that are done; zero between launches
    PartSums* parts = nullptr;         // [slot, block]
    std::uint8_t* rowCells = nullptr;  // [slot, query, column]

    Scratch(const PatternProblem& problem, std::byte* bytes)
    {
        finished = reinterpret_cast<unsigned*>(bytes);
        bytes += roundedUp(slots(problem) * sizeof(unsigned));
        parts = reinterpret_cast<PartSums*>(bytes);
        bytes += roundedUp(slots(problem) * static_cast<std::size_t>(blocks(problem)) * sizeof(PartSums));
        rowCells = reinterpret_cast<std::uint8_t*>(bytes);
    }

    static std::size_t slots(const PatternProblem& problem)
    {
        return static_cast<std::size_t>(problem.prompts) * static_cast<std::size_t>(problem.heads);
    }
    static int blocks(const PatternProblem& problem) { return (problem.length + kRows - 1) / kRows; }
};

/// Rows of queries, keys or values of one head among the packed projections, in this order.
template <class T>
__device__ HeadRows<const T> headRows(const PatternProblem& problem, int slot, bool isVector)
{
    const std::int64_t stride =
        static_cast<std::int64_t>(problem.heads + 2 * problem.kvHeads) * problem.headDim;
    const T* const first =
        static_cast<const T*>(problem.qkv) + static_cast<std::int64_t>(slot) * problem.headDim;
    return {first, stride, problem.headDim, 0, nullptr, nullptr, isVector};
}

/// The block's sums over its lanes, in a fixed order: each of the first threads gets one.
template <class T, class Form>
__device__ float sumOfBlock(SharedTiles<T, Form>& shared, const PartSums& sums)
{
    const float* const mine = reinterpret_cast<const float*>(&sums);
#pragma unroll
    for (int i = 0; i < kSumCount; ++i) {
        const float sum = sumOfWarp(mine[i]);
        if (threadIdx.x % 32 == 0)
            shared.parts[threadIdx.x / 32][i] = sum;
    }
    __syncthreads();
    float sum = 0;
    if (threadIdx.x < kSumCount)
        for (int warp = 0; warp < Form::kThreads / 32; ++warp)
            sum += shared.parts[warp][threadIdx.x];
    return sum;
}

/// How many cells queries may look at.
__device__ inline double visibleCells(const PatternProblem& problem)
{
    const double length = problem.length;
    const double reach = problem.window > 0 ? min(problem.window, problem.length) : problem.length;
    return reach * (reach + 1) / 2 + (length - reach) * reach;
}

/// Stores a head's sums; each of the first threads stores its own. Without a gate, the sum of open cells has those
/// alone that edits close, and they are below zero.
__device__ inline void storeSum(const PatternProblem& problem, double sum, stats::PatternSums& target)
{
    constexpr int kOpen = offsetof(PartSums, open) / sizeof(float);
    const bool isAllOpen = threadIdx.x == kOpen && !problem.isGated;
    if (threadIdx.x < kSumCount)
        reinterpret_cast<double*>(&target)[threadIdx.x] = isAllOpen ? visibleCells(problem) + sum : sum;
}

/// Adds up what the blocks of a head left.
__device__ inline double sumOfParts(const PartSums* parts, int blocks)
{
    double sum = 0;
    if (threadIdx.x < kSumCount)
        for (int block = 0; block < blocks; ++block)
            sum += __ldcg(reinterpret_cast<const float*>(parts + block) + threadIdx.x);
    return sum;
}

template <class T, class Form>
__device__ void storeOutputs(const float (&sums)[Form::kDim / 8][4], const PatternProblem& problem, void* z,
                             const LaneSummary& summary, int head, const Lane& lane)
{
    const std::int64_t stride = static_cast<std::int64_t>(problem.heads) * problem.headDim;
#pragma unroll
    for (int d = 0; d < Form::kDim / 8; ++d)
#pragma unroll
        for (int half = 0; half < 2; ++half) {
            const int dim = lane.col(d, 0);
            const int query = summary.query[half];
            if (query >= problem.length || dim >= problem.headDim)
                continue;
            T* const target =
                static_cast<T*>(z) + query * stride + static_cast<std::int64_t>(head) * problem.headDim + dim;
            const float pair[2] = {sums[d][2 * half], sums[d][2 * half + 1]};
            if (problem.headDim % 2 == 0) {
                writePack(target, pair);
            } else {
                target[0] = narrowed<T>(pair[0]);
                if (dim + 1 < problem.headDim)
                    target[1] = narrowed<T>(pair[1]);
            }
        }
}

/// Stores the weights of cells that queries may look at. [query, key]
template <int kN>
__device__ void storeMap(const float (&weights)[kN][4], const LaneSummary& summary, int firstKey, int length,
                         float* map, const Lane& lane)
{
#pragma unroll
    for (int n = 0; n < kN; ++n)
#pragma unroll
        for (int c = 0; c < 4; ++c) {
            const int query = summary.query[c / 2];
            const int key = firstKey + lane.col(n, c);
            if (query < length && key <= query)
                map[static_cast<std::int64_t>(query) * length + key] = weights[n][c];
        }
}

/// Run by a whole block; copies sixteen at a time where both begin at a multiple of it.
__device__ inline void copyBytes(std::uint8_t* target, const std::uint8_t* source, int count, bool isVector)
{
    const int first = static_cast<int>(threadIdx.x);
    const int step = static_cast<int>(blockDim.x);
    if (isVector) {
        for (int i = first; i < count / 16; i += step)
            reinterpret_cast<uint4*>(target)[i] = reinterpret_cast<const uint4*>(source)[i];
    } else {
        for (int i = first; i < count; i += step)
            target[i] = source[i];
    }
}

/// The last block of a slot makes its tile and its sums from what all of them left.
template <class T, class Form>
__device__ void finishBlock(SharedTiles<T, Form>& shared, const PartSums& sums, const std::uint8_t* rowCells,
                            const PatternProblem& problem, const PatternResult& result,
                            const Scratch& scratch, int slot, int block)
{
    const float sum = sumOfBlock(shared, sums);
    const int blocks = static_cast<int>(gridDim.y);
    const int side = problem.tileSide;
    std::uint8_t* const tile = result.tiles + static_cast<std::int64_t>(slot) * side * side;
    if (blocks == 1) {
        storeSum(problem, sum, result.sums[slot]);
        poolRows<true>(rowCells, problem.length, side, tile);
        return;
    }
    PartSums* const parts = scratch.parts + slot * blocks;
    if (threadIdx.x < kSumCount)
        reinterpret_cast<float*>(parts + block)[threadIdx.x] = sum;
    std::uint8_t* const headCells =
        scratch.rowCells + static_cast<std::int64_t>(slot) * problem.length * side;
    const int firstQuery = block * Form::kRows;
    const int bytesHere = min(Form::kRows, problem.length - firstQuery) * side;
    copyBytes(headCells + firstQuery * side, rowCells, bytesHere, side % 16 == 0);
    __threadfence();
    __syncthreads();
    if (threadIdx.x == 0) {
        shared.isLast = atomicAdd(scratch.finished + slot, 1u) == gridDim.y - 1;
        if (shared.isLast)
            scratch.finished[slot] = 0;
    }
    __syncthreads();
    if (!shared.isLast)
        return;
    __threadfence();
    storeSum(problem, sumOfParts(parts, blocks), result.sums[slot]);
    poolRows<false>(headCells, problem.length, side, tile);
}

template <int kN>
__device__ void copyCells(float (&target)[kN][4], const float (&source)[kN][4])
{
#pragma unroll
    for (int i = 0; i < 4 * kN; ++i)
        target[i / 4][i % 4] = source[i / 4][i % 4];
}

/// Points at one of the prompts.
template <class T>
__device__ void turnToPrompt(PatternProblem& problem, PatternResult& result, std::int64_t prompt)
{
    const std::int64_t row = prompt * problem.length;
    const std::int64_t width =
        static_cast<std::int64_t>(problem.heads + 2 * problem.kvHeads) * problem.headDim;
    problem.qkv = static_cast<const T*>(problem.qkv) + row * width;
    problem.tokens += row;
    result.z = static_cast<T*>(result.z) + row * problem.heads * problem.headDim;
}

/// A block has 64 queries of a head. It goes over the keys twice: for each row's sum of exponentials, and,
/// with that known, for its weights and all that is derived from them. Between the two, once more for each run of
/// edits that let rows grow. What makes edits takes so many registers that it is a kernel of its own, which does
/// nothing for heads without any.
template <class T, class Form, bool kIsEdited>
__global__ void __launch_bounds__(Form::kThreads)
    patternKernel(PatternProblem problem, PatternResult result, Scratch scratch, bool isVector)
{
    extern __shared__ float4 sharedMemory[];
    auto& shared = *reinterpret_cast<SharedTiles<T, Form>*>(sharedMemory);
    auto* const rowCells = reinterpret_cast<std::uint8_t*>(&shared + 1);  // [team, row, column]
    constexpr int kN = Form::kN;

    const int head = static_cast<int>(blockIdx.x);
    const int slot = static_cast<int>(blockIdx.z) * problem.heads + head;
    const HeadEdits edits = kIsEdited ? HeadEdits(problem, slot) : HeadEdits();
    if (kIsEdited && edits.count == 0)
        return;
    turnToPrompt<T>(problem, result, blockIdx.z);
    const int block =
        static_cast<int>(gridDim.y - 1 - blockIdx.y);  // for all heads, those with most keys first
    const int kvHead = head / (problem.heads / problem.kvHeads);
    const int firstQuery = block * Form::kRows;
    const int team = static_cast<int>(threadIdx.x) / Form::kTeamThreads;
    const int firstCol = team * 8 * kN;
    Lane lane;
    lane.warpRow %= Form::kRows;
    LaneSummary summary;
#pragma unroll
    for (int half = 0; half < 2; ++half) {
        summary.query[half] = firstQuery + lane.row(2 * half);
        const bool isThere = summary.query[half] < problem.length;
        summary.token[half] = isThere ? problem.tokens[summary.query[half]] : -2;
    }
    const auto keys = headRows<T>(problem, problem.heads + kvHead, isVector);
    const auto values = headRows<T>(problem, problem.heads + problem.kvHeads + kvHead, isVector);

    const int firstVisible = problem.window > 0 ? max(0, firstQuery - problem.window + 1) : 0;
    const int firstTile = firstVisible / Form::kCols;
    const int tiles =
        (min(firstQuery + Form::kRows, problem.length) + Form::kCols - 1) / Form::kCols - firstTile;
    // If so, tiles stay where they are, and lanes keep their products.
    const bool hasRoom = tiles <= Form::kKept;
    const int passes = 2 + edits.runs();
    const int steps = hasRoom ? tiles : passes * tiles;
    const float scale = problem.scale * kLog2E;
    // Tiles follow one another through two places: first all for the sums, last all for the weights.
    const auto beginTile = [&](int step) {
        if (step < steps) {
            const int firstKey = (firstTile + step % tiles) * Form::kCols;
            copyTile<Form, Form::kCols>(shared.keys[step % 2], keys, firstKey, problem.length);
            if (step >= (passes - 1) * tiles || hasRoom)
                copyTile<Form, Form::kCols>(shared.values[step % 2], values, firstKey, problem.length);
            noteKeys(shared, step % 2, problem, firstKey);
        }
        commitCopies();
    };
    float cells[kN][4];
    [[maybe_unused]] float kept[Form::kKept][kN][4];
    const auto forPlaceOf = [&](int tile, const auto& visit) {
        if constexpr (Form::kKept > 1) {  // one tile's products stay in `cells`
#pragma unroll
            for (int place = 0; place < Form::kKept; ++place)
                if (place == tile)
                    visit(kept[place]);
        }
    };
    const auto multiplyTile = [&](int step) {
        beginTile(step + 1);
        awaitCopies<1>();
        __syncthreads();
        const int firstKey = (firstTile + step % tiles) * Form::kCols + firstCol;
        scoreTile<T, Form>(cells, shared.queries, shared.keys[step % 2] + firstCol * Form::kStride, lane);
        const bool isCut = firstKey + 8 * kN > firstQuery + 1 || firstQuery + Form::kRows > problem.length ||
                           (problem.window > 0 && firstKey <= firstQuery + Form::kRows - 1 - problem.window);
        if (isCut)
            hideCells(cells, summary, firstKey, problem, lane);
    };

    const auto recallTile = [&](int pass, int tile) {
        if (hasRoom)
            forPlaceOf(tile, [&](const auto& place) { copyCells(cells, place); });
        else
            multiplyTile(pass * tiles + tile);
    };
    const float leastOpen = -problem.bias / problem.scale;

    for (int i = static_cast<int>(threadIdx.x); i < Form::kTeams * Form::kRows * problem.tileSide / 16;
         i += Form::kThreads)
        reinterpret_cast<uint4*>(rowCells)[i] = {0, 0, 0, 0};
    copyTile<Form, Form::kRows>(shared.queries, headRows<T>(problem, head, isVector), firstQuery,
                                problem.length);
    beginTile(0);
    SoftmaxSums softmax;
    for (int step = 0; step < tiles; ++step) {
        multiplyTile(step);
        softmax.take(cells, scale);
        if (hasRoom)
            forPlaceOf(step, [&](auto& place) { copyCells(place, cells); });
        __syncthreads();
    }
    joinSums(shared, softmax, summary.logSum, team, lane);
#pragma unroll
    for (int half = 0; half < 2; ++half)
        if (summary.query[half] >= problem.length)
            summary.logSum[half] = -kHidden;
    int pass = 1;
    for (int run = edits.runFrom(0); run < edits.count; run = edits.runFrom(edits.endOfRun(run)), ++pass) {
        float before[2] = {}, left[2] = {};
        for (int tile = 0; tile < tiles; ++tile) {
            recallTile(pass, tile);
            float edited[kN][4];
            copyCells(edited, cells);
            if (problem.isGated)
                closeCells(edited, leastOpen);
            const int firstKey = (firstTile + tile) * Form::kCols + firstCol;
            editCells(edited, summary, edits, 0, run, firstKey, scale, lane);
            addWeights(before, edited, summary, scale);
            editCells(edited, summary, edits, run, edits.endOfRun(run), firstKey, scale, lane);
            addWeights(left, edited, summary, scale);
            __syncthreads();
        }
        growRows(shared, summary, before, left, team, lane);
    }
    float sums[Form::kDim / 8][4] = {};
    for (int tile = 0; tile < tiles; ++tile) {
        recallTile(pass, tile);
        const int place = hasRoom ? tile : (pass * tiles + tile) % 2;
        const KeyFacts facts = {(firstTile + tile) * Form::kCols + firstCol, shared.tokens[place] + firstCol,
                                shared.cells[place] + firstCol};
        if (problem.isGated)
            summary.sums.open += static_cast<float>(closeCells(cells, leastOpen));
        if (edits.count > 0) {
            summary.sums.open -= static_cast<float>(
                editCells(cells, summary, edits, 0, edits.count, facts.firstKey, scale, lane));
            summary.sums.aboveHalf += static_cast<float>(cellsAboveHalf(cells, summary, scale));
        }
        if (facts.firstKey + 8 * kN >= firstQuery)
            weighCells<true>(cells, summary, facts, scale, problem.threshold, lane);
        else
            weighCells<false>(cells, summary, facts, scale, problem.threshold, lane);
        std::uint8_t* const teamCells = rowCells + team * Form::kRows * problem.tileSide;
        if (problem.tileSide == problem.length)
            storeColumns(cells, summary, teamCells, facts.firstKey, problem.tileSide, lane);
        else
            poolColumns(cells, summary, facts, teamCells, problem.tileSide, lane);
        if (result.maps)
            storeMap(cells, summary, facts.firstKey, problem.length,
                     result.maps + static_cast<std::int64_t>(slot) * problem.length * problem.length, lane);
        weighTile<T, Form>(sums, cells, shared.values[place] + firstCol * Form::kStride, lane);
        __syncthreads();
    }

    if constexpr (Form::kTeams > 1) {
        joinOutputs(shared, sums, team);
        joinCells<Form>(rowCells, problem.tileSide);
    }
    if (team == 0)
        storeOutputs<T, Form>(sums, problem, result.z, summary, head, lane);
    float largest[2];
    joinPeaks(shared, summary, largest, team, lane);
    summary.finish(largest, team == 0 && lane.t == 0, edits.count > 0);
    finishBlock(shared, summary.sums, rowCells, problem, result, scratch, slot, block);
}

/// Calls `call(dimension)` with the smallest head size, rounded up, that holds the problem's.
template <class Call>
void withPatternDim(int headDim, const Call& call)
{
    if (headDim <= 32)
        call(std::integral_constant<int, 32>());
    else if (headDim <= 64)
        call(std::integral_constant<int, 64>());
    else if (headDim <= 96)
        call(std::integral_constant<int, 96>());
    else if (headDim <= 128)
        call(std::integral_constant<int, 128>());
    else
        call(std::integral_constant<int, kMostPatternDim>());
}

template <class T, class Form, bool kIsEdited>
void launchPatternKernel(const PatternProblem& problem, const PatternResult& result, Stream stream)
{
    static_assert(Form::kRows == kRows);
    const bool isVector = problem.headDim % Form::kChunk == 0 && isAligned(problem.qkv, 16);
    auto* const kernel = &patternKernel<T, Form, kIsEdited>;
    const std::size_t bytes = sizeof(SharedTiles<T, Form>) + static_cast<std::size_t>(Form::kTeams * kRows) *
                                                                 static_cast<std::size_t>(problem.tileSide);
    allowSharedMemory(kernel, bytes);
    const dim3 grid(static_cast<unsigned>(problem.heads), static_cast<unsigned>(Scratch::blocks(problem)),
                    static_cast<unsigned>(problem.prompts));
    kernel<<<grid, Form::kThreads, bytes, stream>>>(problem, result, Scratch(problem, result.scratch),
                                                    isVector);
}

/// Mostly few heads have edits, and so few blocks: one form for three sizes of heads is enough.
template <class T>
void launchEditedPatterns(const PatternProblem& problem, const PatternResult& result, Stream stream)
{
    const auto launch = [&](auto dim) {
        launchPatternKernel<T, PatternForm<T, decltype(dim)::value, 2>, true>(problem, result, stream);
    };
    if (problem.headDim <= 64)
        launch(std::integral_constant<int, 64>());
    else if (problem.headDim <= 128)
        launch(std::integral_constant<int, 128>());
    else
        launch(std::integral_constant<int, kMostPatternDim>());
}

/// Floats and halves, plain and edited, are compiled in files of their own: all together take minutes. Both kinds of halves
/// are in one, where they take no more room, compressed, than one of them.
template <class T>
void launchPatterns(const PatternProblem& problem, const PatternResult& result, Stream stream)
{
    withPatternDim(problem.headDim, [&](auto dim) {
        constexpr int kDim = decltype(dim)::value;
        if (static_cast<int>(Scratch::slots(problem)) * Scratch::blocks(problem) <= kFewBlocks)
            launchPatternKernel<T, PatternForm<T, kDim, 2>, false>(problem, result, stream);
        else
            launchPatternKernel<T, PatternForm<T, kDim, 1>, false>(problem, result, stream);
    });
}

}  // namespace hs::cuda
