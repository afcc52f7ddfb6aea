#pragma once

#include "cuda/pattern_summary.cuh"
#include "cuda/pattern_tiles.cuh"

namespace hs::cuda {

/// What the teams of a block, which divide the columns of every tile between them, tell one another.

/// Sums of exponentials, to base two, of a lane's two rows so far.
struct SoftmaxSums {
    // The largest exponent so far. It starts above all that is hidden, so that a lane that sees nothing else
    // adds nothing.
    float most[2] = {-1e20f, -1e20f};
    float sum[2] = {0, 0};  // relative to the power of `most`

    template <int kN>
    __device__ void take(const float (&cells)[kN][4], float scale)
    {
#pragma unroll
        for (int half = 0; half < 2; ++half) {
            float largest = kHidden;
#pragma unroll
            for (int n = 0; n < kN; ++n)
                largest = fmaxf(largest, fmaxf(cells[n][2 * half], cells[n][2 * half + 1]));
            const float now = fmaxf(most[half], largest * scale);
            float added = 0;
#pragma unroll
            for (int n = 0; n < kN; ++n)
                added += powerOfTwo(fmaf(cells[n][2 * half], scale, -now)) +
                         powerOfTwo(fmaf(cells[n][2 * half + 1], scale, -now));
            sum[half] = fmaf(sum[half], powerOfTwo(most[half] - now), added);
            most[half] = now;
        }
    }

    /// Joins the four lanes of each row.
    __device__ void join()
    {
#pragma unroll
        for (int half = 0; half < 2; ++half) {
            const float largest = largestOfRow(most[half]);
            float total = sum[half] * powerOfTwo(most[half] - largest);
            total += __shfl_xor_sync(kAllLanes, total, 1);
            total += __shfl_xor_sync(kAllLanes, total, 2);
            most[half] = largest;
            sum[half] = total;
        }
    }
};

template <class T, class Form>
struct SharedTiles {
    alignas(16) T queries[Form::kRowTile];
    alignas(16) T keys[2][Form::kColTile];
    alignas(16) T values[2][Form::kColTile];
    std::int32_t tokens[2][Form::kCols + 1];
    std::int16_t cells[2][Form::kCols];
    float most[Form::kTeams][Form::kRows];  // for teams to tell one another about a row
    float sum[Form::kTeams][Form::kRows];
    float parts[Form::kThreads / 32][kSumCount];
    bool isLast;
};

template <class T, class Form>
__device__ void noteKeys(SharedTiles<T, Form>& shared, int place, const PatternProblem& problem, int firstKey)
{
    for (int i = static_cast<int>(threadIdx.x); i <= Form::kCols; i += Form::kThreads) {
        const int before = firstKey + i - 1;
        shared.tokens[place][i] = before >= 0 && before < problem.length ? problem.tokens[before] : -1;
        if (i < Form::kCols)
            shared.cells[place][i] = static_cast<std::int16_t>(
                tileCellOf(min(firstKey + i, problem.length - 1), problem.length, problem.tileSide));
    }
}

/// The logarithms of the sums of a lane's rows, over all teams.
template <class T, class Form>
__device__ void joinSums(SharedTiles<T, Form>& shared, SoftmaxSums& softmax, float (&logSum)[2], int team,
                         const Lane& lane)
{
    softmax.join();
    if constexpr (Form::kTeams > 1) {
#pragma unroll
        for (int half = 0; half < 2; ++half)
            if (lane.t == 0) {
                shared.most[team][lane.row(2 * half)] = softmax.most[half];
                shared.sum[team][lane.row(2 * half)] = softmax.sum[half];
            }
        __syncthreads();
    }
#pragma unroll
    for (int half = 0; half < 2; ++half) {
        float largest = softmax.most[half];
        float total = softmax.sum[half];
        if constexpr (Form::kTeams > 1) {
            const int row = lane.row(2 * half);
            for (int other = 0; other < Form::kTeams; ++other)
                largest = fmaxf(largest, shared.most[other][row]);
            total = 0;
            for (int other = 0; other < Form::kTeams; ++other)
                total += shared.sum[other][row] * powerOfTwo(shared.most[other][row] - largest);
        }
        logSum[half] = largest + log2f(total);
    }
}

/// The largest weights of a lane's rows, over all teams.
template <class T, class Form>
__device__ void joinPeaks(SharedTiles<T, Form>& shared, const LaneSummary& summary, float (&largest)[2],
                          int team, const Lane& lane)
{
#pragma unroll
    for (int half = 0; half < 2; ++half) {
        largest[half] = largestOfRow(summary.peak[half]);
        if (Form::kTeams > 1 && lane.t == 0)
            shared.most[team][lane.row(2 * half)] = largest[half];
    }
    if constexpr (Form::kTeams > 1) {
        __syncthreads();
#pragma unroll
        for (int half = 0; half < 2; ++half)
            for (int other = 0; other < Form::kTeams; ++other)
                largest[half] = fmaxf(largest[half], shared.most[other][lane.row(2 * half)]);
    }
}

/// Adds all teams' sums to the first team's; the others' pass through where keys and values were.
template <class T, class Form>
__device__ void joinOutputs(SharedTiles<T, Form>& shared, float (&sums)[Form::kDim / 8][4], int team)
{
    constexpr int kNumbers = Form::kDim / 2;
    static_assert(sizeof(shared.keys) + sizeof(shared.values) >=
                  kNumbers * Form::kTeamThreads * sizeof(float));
    float* const passed = reinterpret_cast<float*>(shared.keys) + threadIdx.x % Form::kTeamThreads;
    for (int other = 1; other < Form::kTeams; ++other) {
        if (team == other)
#pragma unroll
            for (int i = 0; i < kNumbers; ++i)
                passed[i * Form::kTeamThreads] = sums[i / 4][i % 4];
        __syncthreads();
        if (team == 0)
#pragma unroll
            for (int i = 0; i < kNumbers; ++i)
                sums[i / 4][i % 4] += passed[i * Form::kTeamThreads];
        __syncthreads();
    }
}

/// Raises the first team's cells to the largest of all teams'.
template <class Form>
__device__ void joinCells(std::uint8_t* rowCells, int side)
{
    const int count = Form::kRows * side;  // a multiple of four
    for (int i = 4 * static_cast<int>(threadIdx.x); i < count; i += 4 * Form::kThreads) {
        unsigned& cells = *reinterpret_cast<unsigned*>(rowCells + i);
        for (int other = 1; other < Form::kTeams; ++other)
            cells = __vmaxu4(cells, *reinterpret_cast<const unsigned*>(rowCells + other * count + i));
    }
}

}  // namespace hs::cuda
