#pragma once

#include "cuda/attention_tiles.cuh"

namespace hs::cuda {

/// Products of float tiles on the tensor cores to the precision of float: each factor is the sum of two
/// numbers of the tensor cores' eleven bits, and three of the four products of such sums are taken; the
/// fourth is below what a float holds. Tiles are laid out as in attention_tiles.cuh.

struct SplitNumber {
    float high;
    float low;  // what a tensor core cuts off here is below a float's last bits

    SplitNumber() = default;
    __device__ explicit SplitNumber(float x)
    {
        high = __uint_as_float((__float_as_uint(x) + 0x1000u) & 0xffffe000u);
        low = x - high;
    }
};

/// sums += a * b for a of 16 x 8 and b of 8 x 8 numbers.
__device__ inline void multiplySplit(float (&sums)[4], const SplitNumber (&a)[4], SplitNumber b0,
                                     SplitNumber b1)
{
    const float high[4] = {a[0].high, a[1].high, a[2].high, a[3].high};
    const float low[4] = {a[0].low, a[1].low, a[2].low, a[3].low};
    multiplyOnTensorCore(sums, low, b0.high, b1.high);
    multiplyOnTensorCore(sums, high, b0.low, b1.low);
    multiplyOnTensorCore(sums, high, b0.high, b1.high);
}

/// cells = rows of `a` times rows of `b`, each over the head's dimensions.
template <class Form, int kN = Form::kCols / 8>
__device__ void multiplySplitRows(float (&cells)[kN][4], const float* a, const float* b, const Lane& lane)
{
#pragma unroll
    for (int n = 0; n < kN; ++n)
#pragma unroll
        for (int c = 0; c < 4; ++c)
            cells[n][c] = 0;
    const float* const low = a + lane.row(0) * Form::kStride + lane.t;
    const float* const high = a + lane.row(2) * Form::kStride + lane.t;
#pragma unroll 2
    for (int k = 0; k < Form::kDim; k += 8) {
        const SplitNumber factors[4] = {SplitNumber(low[k]), SplitNumber(high[k]), SplitNumber(low[k + 4]),
                                        SplitNumber(high[k + 4])};
#pragma unroll
        for (int n = 0; n < kN; ++n) {
            const float* const col = b + (8 * n + lane.g) * Form::kStride + k + lane.t;
            multiplySplit(cells[n], factors, SplitNumber(col[0]), SplitNumber(col[4]));
        }
    }
}

/// sums += cells times rows of `b`: each row of cells weighs the positions of `b`.
template <class Form, int kN = Form::kCols / 8>
__device__ void weighSplitRows(float (&sums)[Form::kDim / 8][4], const float (&cells)[kN][4], const float* b,
                               const Lane& lane)
{
    // As in weighRows: columns t and t + 4 of a factor stand for the cells that this lane owns.
#pragma unroll
    for (int n = 0; n < kN; ++n) {
        const SplitNumber factors[4] = {SplitNumber(cells[n][0]), SplitNumber(cells[n][2]),
                                        SplitNumber(cells[n][1]), SplitNumber(cells[n][3])};
        const float* const even = b + lane.col(n, 0) * Form::kStride + lane.g;
        const float* const odd = b + lane.col(n, 1) * Form::kStride + lane.g;
#pragma unroll
        for (int d = 0; d < Form::kDim / 8; ++d)
            multiplySplit(sums[d], factors, SplitNumber(even[8 * d]), SplitNumber(odd[8 * d]));
    }
}

}  // namespace hs::cuda
