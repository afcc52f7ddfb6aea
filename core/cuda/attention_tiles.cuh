#pragma once

#include "cuda/attention_training.h"
#include "cuda/numbers.cuh"

#include <type_traits>

namespace hs::cuda {

/// What the attention kernels are made of. A block holds tiles of queries, keys, values and gradients
/// in shared memory, a row per position. A warp owns 16 rows of a tile's product; in it, lane
/// 4 g + t owns the cells (g, 8 n + 2 t), (g, 8 n + 2 t + 1), (g + 8, 8 n + 2 t), (g + 8, 8 n + 2 t + 1)
/// for every n: the places in which a tensor core leaves its results.

template <class T, int kHeadDim, bool kIsShort>
struct TileForm {
    using Number = T;                      // of the tiles
    static constexpr int kDim = kHeadDim;  // the head size, rounded up
    static constexpr int kRows = kIsShort || kHeadDim > 128 ? 32 : 64;
    static constexpr int kCols = kIsShort || kHeadDim > 64 ? 32 : 64;
    static constexpr int kThreads = kRows / 16 * 32;
    // Sixteen bytes more than a row: products then read from 32 different banks.
    static constexpr int kStride = kHeadDim + 16 / static_cast<int>(sizeof(T));
    static constexpr int kRowTile = kRows * kStride;
    static constexpr int kColTile = kCols * kStride;
    static constexpr int kSumStride = kHeadDim + 4;  // of the float sums that leave by way of shared memory
    static constexpr std::size_t kSumBytes = kRows * kSumStride * sizeof(float);
};

constexpr int kShortLength = 32;  // up to which a tile of 32 rows holds a whole prompt

struct Lane {
    int warpRow = static_cast<int>(threadIdx.x / 32) * 16;
    int g = static_cast<int>(threadIdx.x % 32) / 4;
    int t = static_cast<int>(threadIdx.x % 32) % 4;

    /// For cell `c` of four.
    __device__ int row(int c) const { return warpRow + g + (c / 2) * 8; }
    __device__ int col(int n, int c) const { return 8 * n + 2 * t + c % 2; }
};

/// sums += a * b for a of 16 x 8 and b of 8 x 8 numbers.
__device__ inline void multiplyOnTensorCore(float (&sums)[4], const float (&a)[4], float b0, float b1)
{
    asm("mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, "
        "{%0, %1, %2, %3};"
        : "+f"(sums[0]), "+f"(sums[1]), "+f"(sums[2]), "+f"(sums[3])
        : "r"(__float_as_uint(a[0])), "r"(__float_as_uint(a[1])), "r"(__float_as_uint(a[2])),
          "r"(__float_as_uint(a[3])), "r"(__float_as_uint(b0)), "r"(__float_as_uint(b1)));
}

__device__ inline void addProducts(float& sum, const float4& a, const float4& b)
{
    sum = fmaf(a.x, b.x, sum);
    sum = fmaf(a.y, b.y, sum);
    sum = fmaf(a.z, b.z, sum);
    sum = fmaf(a.w, b.w, sum);
}

/// cells = rows of `a` times rows of `b`, each over the head's dimensions.
template <class Form, int kN = Form::kCols / 8>
__device__ void multiplyFloatRows(float (&cells)[kN][4], const float* a, const float* b, const Lane& lane)
{
#pragma unroll
    for (int n = 0; n < kN; ++n)
#pragma unroll
        for (int c = 0; c < 4; ++c)
            cells[n][c] = 0;
    const float* const low = a + lane.row(0) * Form::kStride;
    const float* const high = a + lane.row(2) * Form::kStride;
#pragma unroll 2
    for (int k = 0; k < Form::kDim; k += 4) {
        const float4 lowFactors = *reinterpret_cast<const float4*>(low + k);
        const float4 highFactors = *reinterpret_cast<const float4*>(high + k);
#pragma unroll
        for (int n = 0; n < kN; ++n)
#pragma unroll
            for (int c = 0; c < 2; ++c) {
                const float4 factors =
                    *reinterpret_cast<const float4*>(b + lane.col(n, c) * Form::kStride + k);
                addProducts(cells[n][c], lowFactors, factors);
                addProducts(cells[n][c + 2], highFactors, factors);
            }
    }
}

/// sums += cells times rows of `b`: each row of cells weighs the positions of `b`.
template <class Form, int kN = Form::kCols / 8>
__device__ void weighFloatRows(float (&sums)[Form::kDim / 8][4], const float (&cells)[kN][4], const float* b,
                               const Lane& lane)
{
    const int firstOfFour = static_cast<int>(threadIdx.x % 32) - lane.t;
#pragma unroll
    for (int n = 0; n < kN; ++n)
#pragma unroll
        for (int c = 0; c < 2; ++c)
            for (int owner = 0; owner < 4; ++owner) {
                const float low = __shfl_sync(kAllLanes, cells[n][c], firstOfFour + owner);
                const float high = __shfl_sync(kAllLanes, cells[n][c + 2], firstOfFour + owner);
                const float* const row = b + (8 * n + 2 * owner + c) * Form::kStride + 2 * lane.t;
#pragma unroll
                for (int d = 0; d < Form::kDim / 8; ++d) {
                    const float2 factors = *reinterpret_cast<const float2*>(row + 8 * d);
                    sums[d][0] = fmaf(low, factors.x, sums[d][0]);
                    sums[d][1] = fmaf(low, factors.y, sums[d][1]);
                    sums[d][2] = fmaf(high, factors.x, sums[d][2]);
                    sums[d][3] = fmaf(high, factors.y, sums[d][3]);
                }
            }
}

/// Rows of one head of one prompt in device memory.
template <class T>
struct HeadRows {
    T* first = nullptr;       // of position 0
    std::int64_t stride = 0;  // between positions
    int headDim = 0;
    int rotatedPairs = 0;  // 0: not turned
    const float* cos = nullptr;
    const float* sin = nullptr;
    bool isVector = false;  // four numbers at a time: everything is aligned and divisible by four
};

template <int kCount>
__device__ void turn(float (&first)[kCount], float (&second)[kCount], const float* cos, const float* sin,
                     float direction)
{
    float c[kCount];
    float s[kCount];
    readPack(cos, c);
    readPack(sin, s);
#pragma unroll
    for (int i = 0; i < kCount; ++i) {
        const float x = first[i];
        const float y = second[i];
        const float sine = direction * s[i];
        first[i] = x * c[i] - y * sine;
        second[i] = y * c[i] + x * sine;
    }
}

/// Visits the tile's rows in parts of kCount dimensions, or of twice kCount that turn together:
/// visit(row, dimension, its partner or -1).
template <int kRowCount, int kCount, class T, class Visit>
__device__ void forEachPart(const HeadRows<T>& rows, const Visit& visit)
{
    const int turning = rows.rotatedPairs / kCount;
    const int parts = rows.headDim / kCount - turning;
    for (int i = static_cast<int>(threadIdx.x); i < kRowCount * parts; i += static_cast<int>(blockDim.x)) {
        const int row = i / parts;
        const int part = i - row * parts;
        if (part < turning)
            visit(row, part * kCount, part * kCount + rows.rotatedPairs);
        else
            visit(row, (part + turning) * kCount, -1);
    }
}

template <class Form, int kRowCount, int kCount, class T>
__device__ void loadParts(T* tile, const HeadRows<const T>& rows, int firstRow, int endRow)
{
    forEachPart<kRowCount, kCount>(rows, [&](int row, int dim, int partner) {
        const int position = firstRow + row;
        const T* const source = rows.first + position * rows.stride;
        T* const target = tile + row * Form::kStride;
        float first[kCount] = {};
        float second[kCount] = {};
        if (position < endRow) {
            readPack(source + dim, first);
            if (partner >= 0) {
                const std::int64_t angle = static_cast<std::int64_t>(position) * rows.rotatedPairs + dim;
                readPack(source + partner, second);
                turn(first, second, rows.cos + angle, rows.sin + angle, 1);
            }
        }
        writePack(target + dim, first);
        if (partner >= 0)
            writePack(target + partner, second);
    });
}

/// Loads positions from firstRow on, turned; those from endRow on are zero.
template <class Form, int kRowCount, class T>
__device__ void loadTile(T* tile, const HeadRows<const T>& rows, int firstRow, int endRow)
{
    if (rows.isVector)
        loadParts<Form, kRowCount, 4>(tile, rows, firstRow, endRow);
    else
        loadParts<Form, kRowCount, 1>(tile, rows, firstRow, endRow);
}

template <class Form, int kCount, class T>
__device__ void storeParts(const float* sums, const HeadRows<T>& rows, int firstRow, int endRow)
{
    forEachPart<Form::kRows, kCount>(rows, [&](int row, int dim, int partner) {
        const int position = firstRow + row;
        if (position >= endRow)
            return;
        T* const target = rows.first + position * rows.stride;
        float first[kCount];
        readPack(sums + row * Form::kSumStride + dim, first);
        if (partner >= 0) {
            const std::int64_t angle = static_cast<std::int64_t>(position) * rows.rotatedPairs + dim;
            float second[kCount];
            readPack(sums + row * Form::kSumStride + partner, second);
            turn(first, second, rows.cos + angle, rows.sin + angle, -1);
            writePack(target + partner, second);
        }
        writePack(target + dim, first);
    });
}

/// Writes the sums of a tile's rows to device memory by way of `shared`, turned back; the whole block calls
/// it. Form::kSumBytes are overwritten there: tiles will do when every warp has only this left to do.
template <class Form, class T>
__device__ void storeSums(float* shared, const float (&sums)[Form::kDim / 8][4], float factor,
                          const HeadRows<T>& rows, int firstRow, int endRow, const Lane& lane)
{
    __syncthreads();
#pragma unroll
    for (int d = 0; d < Form::kDim / 8; ++d)
#pragma unroll
        for (int c = 0; c < 4; ++c)
            shared[lane.row(c) * Form::kSumStride + lane.col(d, c)] = factor * sums[d][c];
    __syncthreads();
    if (rows.isVector)
        storeParts<Form, 4>(shared, rows, firstRow, endRow);
    else
        storeParts<Form, 1>(shared, rows, firstRow, endRow);
}

/// Clears the dimensions that rounding up has added, for good: no load writes to them.
template <class Form>
__device__ void clearBeyond(int headDim, typename Form::Number* shared, int rows)
{
    const int extra = Form::kDim - headDim;
    for (int i = static_cast<int>(threadIdx.x); i < rows * extra; i += static_cast<int>(blockDim.x))
        shared[i / extra * Form::kStride + headDim + i % extra] = narrowed<typename Form::Number>(0);
}

}  // namespace hs::cuda
