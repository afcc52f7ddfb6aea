#pragma once

#include "cuda/async_copies.cuh"
#include "cuda/attention_tiles.cuh"
#include "cuda/half_products.cuh"
#include "cuda/split_products.cuh"

namespace hs::cuda {

/// How a block that summarises patterns is cut: tiles of queries, keys and values are in shared memory in
/// their own type, a row per position. Teams of warps divide the columns of a tile between them; within a
/// team, lanes own cells as in attention_tiles.cuh.
template <class T, int kHeadDim, int kTeamCount>
struct PatternForm {
    static constexpr int kDim = kHeadDim;  // the head size, rounded up
    static constexpr int kRows = 64;
    static constexpr int kCols = kHeadDim > (sizeof(T) == 4 ? 64 : 128) ? 32 : 64;
    static constexpr int kTeams = kTeamCount;
    static constexpr int kTeamThreads = kRows / 16 * 32;
    static constexpr int kThreads = kTeams * kTeamThreads;
    static constexpr int kN = kCols / 8 / kTeams;     // cells of a lane, in eights of columns
    static constexpr int kKept = kTeams > 1 ? 2 : 1;  // tiles whose products lanes have room for
    static constexpr int kChunk = kNumbersOf16Bytes<T>;
    // Sixteen bytes more than a multiple of 128: neighbouring rows begin in different banks.
    static constexpr int kStride = kHeadDim + kChunk;
    static constexpr int kRowTile = kRows * kStride;
    static constexpr int kColTile = kCols * kStride;
};

/// Starts copying rows of one head to shared memory; those from endRow on become zero.
template <class Form, int kRowCount, class T>
__device__ void copyTile(T* tile, const HeadRows<const T>& rows, int firstRow, int endRow)
{
    if (rows.isVector) {
        constexpr int kChunks = Form::kDim / Form::kChunk;
        for (int i = static_cast<int>(threadIdx.x); i < kRowCount * kChunks; i += Form::kThreads) {
            const int row = i / kChunks;
            const int dim = i % kChunks * Form::kChunk;
            const bool isThere = firstRow + row < endRow && dim < rows.headDim;
            const T* const source = rows.first + (firstRow + row) * rows.stride + dim;
            copyAsync(tile + row * Form::kStride + dim, isThere ? source : rows.first, isThere);
        }
        return;
    }
    for (int i = static_cast<int>(threadIdx.x); i < kRowCount * Form::kDim; i += Form::kThreads) {
        const int row = i / Form::kDim;
        const int dim = i % Form::kDim;
        const bool isThere = firstRow + row < endRow && dim < rows.headDim;
        tile[row * Form::kStride + dim] =
            isThere ? rows.first[(firstRow + row) * rows.stride + dim] : narrowed<T>(0.0f);
    }
}

/// Products of tiles on the tensor cores, to the precision of the type that they are stored in.
template <class T, class Form>
__device__ void scoreTile(float (&cells)[Form::kN][4], const T* queries, const T* keys, const Lane& lane)
{
    if constexpr (sizeof(T) == sizeof(float))
        multiplySplitRows<Form, Form::kN>(cells, queries, keys, lane);
    else
        multiplyHalfRows<T, Form, Form::kN>(cells, queries, keys, lane);
}

template <class T, class Form>
__device__ void weighTile(float (&sums)[Form::kDim / 8][4], const float (&cells)[Form::kN][4],
                          const T* values, const Lane& lane)
{
    if constexpr (sizeof(T) == sizeof(float))
        weighSplitRows<Form, Form::kN>(sums, cells, values, lane);
    else
        weighHalfRows<T, Form, Form::kN>(sums, cells, values, lane);
}

}  // namespace hs::cuda
