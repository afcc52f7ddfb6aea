#pragma once

#include "cuda/attention_patterns.h"
#include "cuda/attention_tiles.cuh"

namespace hs::cuda {

using PartSums = stats::PatternSumsOf<float>;
constexpr int kSumCount = sizeof(PartSums) / sizeof(float);

/// Below every product of a query and a key, yet not infinite: times a weight of zero it is zero.
constexpr float kHidden = -1e30f;
constexpr float kLog2E = 1.44269504f;
constexpr float kLn2 = 0.69314718f;

__device__ inline float powerOfTwo(float x)
{
    float power;
    asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(power) : "f"(x));
    return power;
}

__device__ inline float largestOfRow(float x)  // over the four lanes that share it
{
    x = fmaxf(x, __shfl_xor_sync(kAllLanes, x, 1));
    return fmaxf(x, __shfl_xor_sync(kAllLanes, x, 2));
}

/// Which cell of a tile's side a position falls into.
__device__ inline int tileCellOf(int position, int length, int side)
{
    return static_cast<int>((static_cast<unsigned>(position + 1) * static_cast<unsigned>(side) - 1) /
                            static_cast<unsigned>(length));
}

__device__ inline std::uint8_t levelOf(float weight)
{
    return static_cast<std::uint8_t>(__float2int_rn(fminf(weight, 1.0f) * 255.0f));
}

/// What is known about the keys that a team of warps looks at.
struct KeyFacts {
    int firstKey;
    const std::int32_t* tokens;  // of the key before each, and of the last
    const std::int16_t* cells;   // of the tile's columns
};

/// What one lane knows about its two rows and adds up over all keys. A block's sums are those of its lanes.
struct LaneSummary {
    int query[2];
    std::int32_t token[2];
    float logSum[2];  // of each row's exponentials, to base two
    float peak[2] = {0, 0};
    float entropy[2] = {0, 0};  // in bits
    PartSums sums;

    /// Adds what is only known after a row's last key; one lane speaks for the row's largest weight. Without
    /// edits, no other weight of the row can be above one half.
    __device__ void finish(const float (&largest)[2], bool speaks, bool isEdited)
    {
#pragma unroll
        for (int half = 0; half < 2; ++half) {
            if (speaks) {
                sums.peak += largest[half];
                sums.aboveHalf += largest[half] > 0.5f && !isEdited ? 1.0f : 0.0f;
            }
            const float nats = entropy[half] * kLn2;
            sums.entropy += nats;
            if (query[half] > 0)
                sums.entropyNormalized += nats / logf(static_cast<float>(query[half] + 1));
        }
    }
};

/// Hides what a query may not look at, and everything from queries beyond the prompt. Here and below,
/// `cells` are products of queries and keys.
template <int kN>
__device__ void hideCells(float (&cells)[kN][4], const LaneSummary& summary, int firstKey,
                          const PatternProblem& problem, const Lane& lane)
{
#pragma unroll
    for (int n = 0; n < kN; ++n)
#pragma unroll
        for (int c = 0; c < 4; ++c) {
            const int query = summary.query[c / 2];
            const int back = query - (firstKey + lane.col(n, c));
            if (back < 0 || (problem.window > 0 && back >= problem.window) || query >= problem.length)
                cells[n][c] = kHidden;
        }
}

/// A cell that the gate closes still counts in the softmax's sum but has no weight. Returns how many stay open.
template <int kN>
__device__ int closeCells(float (&cells)[kN][4], float leastOpen)
{
    int open = 0;
#pragma unroll
    for (int n = 0; n < kN; ++n)
#pragma unroll
        for (int c = 0; c < 4; ++c) {
            const bool isOpen = cells[n][c] > leastOpen;
            open += isOpen;
            cells[n][c] = isOpen ? cells[n][c] : kHidden;
        }
    return open;
}

/// Turns products into weights and adds to the sums. The two diagonals occur only if `kIsNearDiagonal`.
template <bool kIsNearDiagonal, int kN>
__device__ void weighCells(float (&cells)[kN][4], LaneSummary& summary, const KeyFacts& facts, float scale,
                           float threshold, const Lane& lane)
{
    PartSums& sums = summary.sums;
    const int firstKey = facts.firstKey;
    float mass[2] = {0, 0};
    float moment[2] = {0, 0};  // of the keys, counted from the lane's first
    int above = 0;
#pragma unroll
    for (int n = 0; n < kN; ++n) {
        const int first = lane.col(n, 0);
        const std::int32_t tokens[3] = {facts.tokens[first], facts.tokens[first + 1],
                                        facts.tokens[first + 2]};
#pragma unroll
        for (int c = 0; c < 4; ++c) {
            const int half = c / 2;
            const float logWeight = fmaf(cells[n][c], scale, -summary.logSum[half]);
            const float weight = powerOfTwo(logWeight);
            cells[n][c] = weight;
            summary.entropy[half] = fmaf(-weight, logWeight, summary.entropy[half]);
            mass[half] += weight;
            moment[half] = fmaf(weight, static_cast<float>(8 * n + c % 2), moment[half]);
            above += weight > threshold;
            bool isDuplicate = tokens[c % 2 + 1] == summary.token[half];
            if constexpr (kIsNearDiagonal) {
                const int back = summary.query[half] - (firstKey + first + c % 2);
                isDuplicate = isDuplicate && back != 0;
                if (back == 0) {
                    sums.current += weight;
                    sums.aboveHalf -= weight > 0.5f ? 1.0f : 0.0f;
                }
                if (back == 1)
                    sums.previous += weight;
            }
            if (isDuplicate)
                sums.duplicate += weight;
            if (tokens[c % 2] == summary.token[half])
                sums.induction += weight;
        }
    }
#pragma unroll
    for (int half = 0; half < 2; ++half) {
        const auto back = static_cast<float>(summary.query[half] - (firstKey + lane.col(0, 0)));
        sums.mass += mass[half];
        sums.distance += mass[half] * back - moment[half];
        if (firstKey == 0 && lane.t == 0 && summary.query[half] > 0)
            sums.first += cells[0][2 * half];
    }
    sums.above += static_cast<float>(above);
}

/// Raises the cells of a tile's columns, in each of the block's rows, to the largest weight that falls into
/// them. Columns go from left to right; a cell is written when its last key in the tile has been seen, and
/// raised again by the next tile if it reaches beyond.
template <int kN>
__device__ void poolColumns(const float (&weights)[kN][4], LaneSummary& summary, const KeyFacts& facts,
                            std::uint8_t* rowCells, int side, const Lane& lane)
{
    float largest[2] = {0, 0};
    int cell = facts.cells[0];
    const auto write = [&] {
#pragma unroll
        for (int half = 0; half < 2; ++half) {
            summary.peak[half] = fmaxf(summary.peak[half], largest[half]);
            largest[half] = largestOfRow(largest[half]);
        }
        if (lane.t < 2) {
            std::uint8_t& target = rowCells[lane.row(2 * lane.t) * side + cell];
            target = max(target, levelOf(lane.t == 0 ? largest[0] : largest[1]));
        }
        largest[0] = largest[1] = 0;
        ++cell;
    };
#pragma unroll
    for (int n = 0; n < kN; ++n) {
        if (facts.cells[8 * n] != cell)
            write();
        const int last = facts.cells[8 * n + 7];
        if (cell == last) {
#pragma unroll
            for (int c = 0; c < 4; ++c)
                largest[c / 2] = fmaxf(largest[c / 2], weights[n][c]);
            continue;
        }
        const int mine[2] = {facts.cells[lane.col(n, 0)], facts.cells[lane.col(n, 1)]};
        while (true) {
#pragma unroll
            for (int c = 0; c < 4; ++c)
                if (mine[c % 2] == cell)
                    largest[c / 2] = fmaxf(largest[c / 2], weights[n][c]);
            if (cell == last)
                break;
            write();
        }
    }
    write();
}

/// As poolColumns, where every key is a cell of its own.
template <int kN>
__device__ void storeColumns(const float (&weights)[kN][4], LaneSummary& summary, std::uint8_t* rowCells,
                             int firstKey, int side, const Lane& lane)
{
#pragma unroll
    for (int n = 0; n < kN; ++n)
#pragma unroll
        for (int c = 0; c < 4; ++c) {
            const int key = firstKey + lane.col(n, c);
            summary.peak[c / 2] = fmaxf(summary.peak[c / 2], weights[n][c]);
            if (key < side)
                rowCells[lane.row(c) * side + key] = levelOf(weights[n][c]);
        }
}

/// The larger of each pair of bytes.
__device__ inline uint4 largerBytes(uint4 a, uint4 b)
{
    return {__vmaxu4(a.x, b.x), __vmaxu4(a.y, b.y), __vmaxu4(a.z, b.z), __vmaxu4(a.w, b.w)};
}

/// Reads from shared memory, or past the L1 cache, which may not have what other blocks wrote.
template <bool kIsShared, class T>
__device__ T readCells(const T* source)
{
    if constexpr (kIsShared)
        return *source;
    else
        return __ldcg(source);
}

/// Pools rows of column cells into a tile; run by a whole block.
template <bool kIsShared>
__device__ void poolRows(const std::uint8_t* rowCells, int length, int side, std::uint8_t* tile)
{
    const int step = side % 16 == 0 ? 16 : 1;  // cells at a time
    const auto firstRow = [&](int row) {
        return static_cast<int>(static_cast<unsigned>(row * length) / static_cast<unsigned>(side));
    };
    for (int i = static_cast<int>(threadIdx.x) * step; i < side * side;
         i += static_cast<int>(blockDim.x) * step) {
        const int row = i / side;
        const int end = firstRow(row + 1);
        const std::uint8_t* const column = rowCells + i % side;
        if (step == 16) {
            uint4 largest = {0, 0, 0, 0};
#pragma unroll 8
            for (int query = firstRow(row); query < end; ++query)
                largest = largerBytes(
                    largest, readCells<kIsShared>(reinterpret_cast<const uint4*>(column + query * side)));
            *reinterpret_cast<uint4*>(tile + i) = largest;
        } else {
            std::uint8_t largest = 0;
            for (int query = firstRow(row); query < end; ++query)
                largest = max(largest, readCells<kIsShared>(column + query * side));
            tile[i] = largest;
        }
    }
}

}  // namespace hs::cuda
