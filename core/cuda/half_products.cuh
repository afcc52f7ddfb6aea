#pragma once

#include "cuda/attention_tiles.cuh"

#include <cuda_fp16.h>

namespace hs::cuda {

/// Products of tiles of 16-bit numbers on the tensor cores, with sums in float. Tiles are in shared memory
/// with rows of Form::kStride numbers, each beginning at a multiple of sixteen bytes.

/// Loads four 8 x 8 blocks, a pair of numbers of each to every lane; lane i passes row i % 8 of block i / 8.
template <bool kIsTransposed>
__device__ void loadBlocks(std::uint32_t (&blocks)[4], const void* row)
{
    const auto address = static_cast<std::uint32_t>(__cvta_generic_to_shared(row));
    if constexpr (kIsTransposed)
        asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0, %1, %2, %3}, [%4];"
                     : "=r"(blocks[0]), "=r"(blocks[1]), "=r"(blocks[2]), "=r"(blocks[3])
                     : "r"(address));
    else
        asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
                     : "=r"(blocks[0]), "=r"(blocks[1]), "=r"(blocks[2]), "=r"(blocks[3])
                     : "r"(address));
}

/// sums += a * b for a of 16 x 16 and b of 16 x 8 numbers.
template <class T>
__device__ void multiplyHalves(float (&sums)[4], const std::uint32_t (&a)[4], std::uint32_t b0,
                               std::uint32_t b1)
{
    if constexpr (std::is_same_v<T, Bfloat16>)
        asm("mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, "
            "{%8, %9}, {%0, %1, %2, %3};"
            : "+f"(sums[0]), "+f"(sums[1]), "+f"(sums[2]), "+f"(sums[3])
            : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b0), "r"(b1));
    else
        asm("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, "
            "{%8, %9}, {%0, %1, %2, %3};"
            : "+f"(sums[0]), "+f"(sums[1]), "+f"(sums[2]), "+f"(sums[3])
            : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b0), "r"(b1));
}

template <class T>
__device__ std::uint32_t packHalves(float low, float high)
{
    if constexpr (std::is_same_v<T, Bfloat16>) {
        const __nv_bfloat162 pair = __floats2bfloat162_rn(low, high);
        return *reinterpret_cast<const std::uint32_t*>(&pair);
    } else {
        const __half2 pair = __floats2half2_rn(low, high);
        return *reinterpret_cast<const std::uint32_t*>(&pair);
    }
}

/// cells = rows of `a` times rows of `b`, each over the head's dimensions.
template <class T, class Form, int kN = Form::kCols / 8>
__device__ void multiplyHalfRows(float (&cells)[kN][4], const T* a, const T* b, const Lane& lane)
{
#pragma unroll
    for (int n = 0; n < kN; ++n)
#pragma unroll
        for (int c = 0; c < 4; ++c)
            cells[n][c] = 0;
    const int index = 4 * lane.g + lane.t;
    const T* const rows = a + (lane.warpRow + index % 16) * Form::kStride + index / 16 * 8;
    const T* const cols = b + (index % 8 + index / 16 * 8) * Form::kStride + index / 8 % 2 * 8;
#pragma unroll
    for (int k = 0; k < Form::kDim; k += 16) {
        std::uint32_t factors[4];
        loadBlocks<false>(factors, rows + k);
#pragma unroll
        for (int n = 0; n < kN; n += 2) {
            std::uint32_t blocks[4];
            loadBlocks<false>(blocks, cols + 8 * n * Form::kStride + k);
            multiplyHalves<T>(cells[n], factors, blocks[0], blocks[1]);
            multiplyHalves<T>(cells[n + 1], factors, blocks[2], blocks[3]);
        }
    }
}

/// sums += cells times rows of `b`: each row of cells weighs the positions of `b`.
template <class T, class Form, int kN = Form::kCols / 8>
__device__ void weighHalfRows(float (&sums)[Form::kDim / 8][4], const float (&cells)[kN][4], const T* b,
                              const Lane& lane)
{
    const int index = 4 * lane.g + lane.t;
    const T* const rows = b + index % 16 * Form::kStride + index / 16 * 8;
#pragma unroll
    for (int n = 0; n < kN; n += 2) {
        const std::uint32_t factors[4] = {
            packHalves<T>(cells[n][0], cells[n][1]), packHalves<T>(cells[n][2], cells[n][3]),
            packHalves<T>(cells[n + 1][0], cells[n + 1][1]), packHalves<T>(cells[n + 1][2], cells[n + 1][3])};
#pragma unroll
        for (int d = 0; d < Form::kDim / 8; d += 2) {
            std::uint32_t blocks[4];
            loadBlocks<true>(blocks, rows + 8 * n * Form::kStride + 8 * d);
            multiplyHalves<T>(sums[d], factors, blocks[0], blocks[1]);
            multiplyHalves<T>(sums[d + 1], factors, blocks[2], blocks[3]);
        }
    }
}

}  // namespace hs::cuda
