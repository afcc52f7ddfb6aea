#pragma once

#include <cstddef>

namespace hs::gguf {

/// Each turns consecutive blocks of one type into float32, with the bits that ggml's own code gives.
/// `from` need not be aligned.
void unpackF32(const std::byte* from, std::size_t blocks, float* to);
void unpackF16(const std::byte* from, std::size_t blocks, float* to);
void unpackBf16(const std::byte* from, std::size_t blocks, float* to);
void unpackQ4_0(const std::byte* from, std::size_t blocks, float* to);
void unpackQ4_1(const std::byte* from, std::size_t blocks, float* to);
void unpackQ5_0(const std::byte* from, std::size_t blocks, float* to);
void unpackQ5_1(const std::byte* from, std::size_t blocks, float* to);
void unpackQ8_0(const std::byte* from, std::size_t blocks, float* to);
void unpackQ2_K(const std::byte* from, std::size_t blocks, float* to);
void unpackQ3_K(const std::byte* from, std::size_t blocks, float* to);
void unpackQ4_K(const std::byte* from, std::size_t blocks, float* to);
void unpackQ5_K(const std::byte* from, std::size_t blocks, float* to);
void unpackQ6_K(const std::byte* from, std::size_t blocks, float* to);
void unpackIq4Nl(const std::byte* from, std::size_t blocks, float* to);
void unpackIq4Xs(const std::byte* from, std::size_t blocks, float* to);

/// Whether all are numbers: no infinity, no NaN.
bool isFinite(const float* values, std::size_t count);

}  // namespace hs::gguf
