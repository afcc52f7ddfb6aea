#include "gguf/unpack.h"

#include <array>
#include <bit>
#include <cstdint>
#include <cstring>

// Loops run over 16 or 32 neighbouring bytes and numbers with constant shifts, which compilers vectorise.
// Every product is exact in float32, so fused and separate multiplications give the same bits.

namespace hs::gguf {
namespace {

using Byte = std::uint8_t;

const Byte* bytesAt(const std::byte* from, std::size_t offset)
{
    return reinterpret_cast<const Byte*>(from) + offset;
}

std::uint16_t u16At(const std::byte* from, std::size_t offset)
{
    std::uint16_t value = 0;
    std::memcpy(&value, from + offset, sizeof value);
    return value;
}

/// Computes all three cases and chooses, so that loops over it vectorise. No operand is a denormal.
float halfToFloat(std::uint16_t half)
{
    const std::uint32_t sign = (half & 0x8000u) << 16;
    const std::uint32_t shifted = (half & 0x7FFFu) << 13;
    const std::uint32_t exponent = shifted & 0x0F800000u;
    const std::uint32_t normal = shifted + (112u << 23);
    const std::uint32_t endless = normal + (112u << 23);
    const std::uint32_t tiny = std::bit_cast<std::uint32_t>(std::bit_cast<float>(normal + (1u << 23)) -
                                                            std::bit_cast<float>(113u << 23));
    const std::uint32_t magnitude = exponent == 0 ? tiny : exponent == 0x0F800000u ? endless : normal;
    return std::bit_cast<float>(sign | magnitude);
}

float halfAt(const std::byte* from, std::size_t offset)
{
    return halfToFloat(u16At(from, offset));
}

/// The 16 values of the IQ4 types.
constexpr std::array<std::int8_t, 16> kSteps = {-127, -104, -83, -65, -49, -35, -22, -10,
                                                1,    13,   25,  38,  53,  69,  89,  113};

/// The 6-bit scale and minimum of group `group` in Q4_K and Q5_K.
struct ScaleAndMin {
    int scale;
    int min;
};
ScaleAndMin scaleAndMin(const Byte* packed, int group)
{
    if (group < 4)
        return {packed[group] & 63, packed[group + 4] & 63};
    return {(packed[group + 4] & 15) | (packed[group - 4] >> 6) << 4,
            (packed[group + 4] >> 4) | (packed[group] >> 6) << 4};
}

/// Bit i of the mask as 0 or 16, for the fifth bit of the 5-bit types.
int fifthBit(std::uint32_t mask, int i)
{
    return static_cast<int>((mask >> i) & 1) << 4;
}

std::uint32_t u32At(const std::byte* from, std::size_t offset)
{
    std::uint32_t value = 0;
    std::memcpy(&value, from + offset, sizeof value);
    return value;
}

}  // namespace

void unpackF32(const std::byte* from, std::size_t blocks, float* to)
{
    std::memcpy(to, from, blocks * sizeof(float));
}

void unpackF16(const std::byte* from, std::size_t blocks, float* __restrict to)
{
    for (std::size_t i = 0; i < blocks; ++i)
        to[i] = halfAt(from, 2 * i);
}

void unpackBf16(const std::byte* from, std::size_t blocks, float* __restrict to)
{
    for (std::size_t i = 0; i < blocks; ++i)
        to[i] = std::bit_cast<float>(static_cast<std::uint32_t>(u16At(from, 2 * i)) << 16);
}

void unpackQ4_0(const std::byte* from, std::size_t blocks, float* __restrict to)
{
    for (; blocks > 0; --blocks, from += 18, to += 32) {
        const float d = halfAt(from, 0);
        const Byte* const q = bytesAt(from, 2);
        for (int i = 0; i < 16; ++i) {
            to[i] = d * static_cast<float>((q[i] & 15) - 8);
            to[i + 16] = d * static_cast<float>((q[i] >> 4) - 8);
        }
    }
}

void unpackQ4_1(const std::byte* from, std::size_t blocks, float* __restrict to)
{
    for (; blocks > 0; --blocks, from += 20, to += 32) {
        const float d = halfAt(from, 0);
        const float m = halfAt(from, 2);
        const Byte* const q = bytesAt(from, 4);
        for (int i = 0; i < 16; ++i) {
            to[i] = d * static_cast<float>(q[i] & 15) + m;
            to[i + 16] = d * static_cast<float>(q[i] >> 4) + m;
        }
    }
}

void unpackQ5_0(const std::byte* from, std::size_t blocks, float* __restrict to)
{
    for (; blocks > 0; --blocks, from += 22, to += 32) {
        const float d = halfAt(from, 0);
        const std::uint32_t high = u32At(from, 2);
        const Byte* const q = bytesAt(from, 6);
        for (int i = 0; i < 16; ++i) {
            to[i] = d * static_cast<float>(((q[i] & 15) | fifthBit(high, i)) - 16);
            to[i + 16] = d * static_cast<float>(((q[i] >> 4) | fifthBit(high, i + 16)) - 16);
        }
    }
}

void unpackQ5_1(const std::byte* from, std::size_t blocks, float* __restrict to)
{
    for (; blocks > 0; --blocks, from += 24, to += 32) {
        const float d = halfAt(from, 0);
        const float m = halfAt(from, 2);
        const std::uint32_t high = u32At(from, 4);
        const Byte* const q = bytesAt(from, 8);
        for (int i = 0; i < 16; ++i) {
            to[i] = d * static_cast<float>((q[i] & 15) | fifthBit(high, i)) + m;
            to[i + 16] = d * static_cast<float>((q[i] >> 4) | fifthBit(high, i + 16)) + m;
        }
    }
}

void unpackQ8_0(const std::byte* from, std::size_t blocks, float* __restrict to)
{
    for (; blocks > 0; --blocks, from += 34, to += 32) {
        const float d = halfAt(from, 0);
        const Byte* const q = bytesAt(from, 2);
        for (int i = 0; i < 32; ++i)
            to[i] = d * static_cast<float>(static_cast<std::int8_t>(q[i]));
    }
}

void unpackQ2_K(const std::byte* from, std::size_t blocks, float* __restrict to)
{
    for (; blocks > 0; --blocks, from += 84) {
        const Byte* const scales = bytesAt(from, 0);
        const float d = halfAt(from, 80);
        const float dmin = halfAt(from, 82);
        for (int group = 0; group < 16; ++group, to += 16) {
            const Byte* const q = bytesAt(from, 16 + 32 * (group / 8) + 16 * (group % 2));
            const int shift = 2 * (group / 2 % 4);
            const float scale = d * static_cast<float>(scales[group] & 15);
            const float min = dmin * static_cast<float>(scales[group] >> 4);
            for (int i = 0; i < 16; ++i)
                to[i] = scale * static_cast<float>((q[i] >> shift) & 3) - min;
        }
    }
}

void unpackQ3_K(const std::byte* from, std::size_t blocks, float* __restrict to)
{
    for (; blocks > 0; --blocks, from += 110) {
        const Byte* const scales = bytesAt(from, 96);
        const float d = halfAt(from, 108);
        for (int group = 0; group < 16; ++group, to += 16) {
            const Byte* const high = bytesAt(from, 16 * (group % 2));
            const Byte* const q = bytesAt(from, 32 + 32 * (group / 8) + 16 * (group % 2));
            const int shift = 2 * (group / 2 % 4);
            const int bit = group / 2;
            const int packed = ((scales[group % 8] >> 4 * (group / 8)) & 15) |
                               ((scales[8 + group % 4] >> 2 * (group / 4)) & 3) << 4;
            const float scale = d * static_cast<float>(packed - 32);
            for (int i = 0; i < 16; ++i)
                to[i] = scale * static_cast<float>(((q[i] >> shift) & 3) + (((high[i] >> bit) & 1) << 2) - 4);
        }
    }
}

void unpackQ4_K(const std::byte* from, std::size_t blocks, float* __restrict to)
{
    for (; blocks > 0; --blocks, from += 144) {
        const float d = halfAt(from, 0);
        const float dmin = halfAt(from, 2);
        const Byte* const packed = bytesAt(from, 4);
        for (int pair = 0; pair < 4; ++pair, to += 64) {
            const Byte* const q = bytesAt(from, 16 + 32 * pair);
            const ScaleAndMin low = scaleAndMin(packed, 2 * pair);
            const ScaleAndMin high = scaleAndMin(packed, 2 * pair + 1);
            const float lowScale = d * static_cast<float>(low.scale);
            const float lowMin = dmin * static_cast<float>(low.min);
            const float highScale = d * static_cast<float>(high.scale);
            const float highMin = dmin * static_cast<float>(high.min);
            for (int i = 0; i < 32; ++i)
                to[i] = lowScale * static_cast<float>(q[i] & 15) - lowMin;
            for (int i = 0; i < 32; ++i)
                to[i + 32] = highScale * static_cast<float>(q[i] >> 4) - highMin;
        }
    }
}

void unpackQ5_K(const std::byte* from, std::size_t blocks, float* __restrict to)
{
    for (; blocks > 0; --blocks, from += 176) {
        const float d = halfAt(from, 0);
        const float dmin = halfAt(from, 2);
        const Byte* const packed = bytesAt(from, 4);
        const Byte* const fifth = bytesAt(from, 16);
        for (int pair = 0; pair < 4; ++pair, to += 64) {
            const Byte* const q = bytesAt(from, 48 + 32 * pair);
            const ScaleAndMin low = scaleAndMin(packed, 2 * pair);
            const ScaleAndMin high = scaleAndMin(packed, 2 * pair + 1);
            const float lowScale = d * static_cast<float>(low.scale);
            const float lowMin = dmin * static_cast<float>(low.min);
            const float highScale = d * static_cast<float>(high.scale);
            const float highMin = dmin * static_cast<float>(high.min);
            for (int i = 0; i < 32; ++i)
                to[i] =
                    lowScale * static_cast<float>((q[i] & 15) | ((fifth[i] >> 2 * pair) & 1) << 4) - lowMin;
            for (int i = 0; i < 32; ++i)
                to[i + 32] =
                    highScale * static_cast<float>((q[i] >> 4) | ((fifth[i] >> (2 * pair + 1)) & 1) << 4) -
                    highMin;
        }
    }
}

void unpackQ6_K(const std::byte* from, std::size_t blocks, float* __restrict to)
{
    for (; blocks > 0; --blocks, from += 210) {
        const Byte* const scales = bytesAt(from, 192);
        const float d = halfAt(from, 208);
        for (int group = 0; group < 16; ++group, to += 16) {
            const int half = group / 8;
            const Byte* const low = bytesAt(from, 64 * half + 16 * (group % 4));
            const Byte* const high = bytesAt(from, 128 + 32 * half + 16 * (group % 2));
            const int lowShift = 4 * (group / 4 % 2);
            const int highShift = 2 * (group / 2 % 4);
            const float scale = d * static_cast<float>(static_cast<std::int8_t>(scales[group]));
            for (int i = 0; i < 16; ++i)
                to[i] = scale * static_cast<float>(
                                    (((low[i] >> lowShift) & 15) | ((high[i] >> highShift) & 3) << 4) - 32);
        }
    }
}

void unpackIq4Nl(const std::byte* from, std::size_t blocks, float* __restrict to)
{
    for (; blocks > 0; --blocks, from += 18, to += 32) {
        const float d = halfAt(from, 0);
        const Byte* const q = bytesAt(from, 2);
        for (int i = 0; i < 16; ++i) {
            to[i] = d * static_cast<float>(kSteps[q[i] & 15]);
            to[i + 16] = d * static_cast<float>(kSteps[q[i] >> 4]);
        }
    }
}

void unpackIq4Xs(const std::byte* from, std::size_t blocks, float* __restrict to)
{
    for (; blocks > 0; --blocks, from += 136) {
        const float d = halfAt(from, 0);
        const unsigned high = u16At(from, 2);
        const Byte* const low = bytesAt(from, 4);
        for (int group = 0; group < 8; ++group, to += 32) {
            const Byte* const q = bytesAt(from, 8 + 16 * group);
            const int packed =
                ((low[group / 2] >> 4 * (group % 2)) & 15) | static_cast<int>((high >> 2 * group) & 3) << 4;
            const float scale = d * static_cast<float>(packed - 32);
            for (int i = 0; i < 16; ++i) {
                to[i] = scale * static_cast<float>(kSteps[q[i] & 15]);
                to[i + 16] = scale * static_cast<float>(kSteps[q[i] >> 4]);
            }
        }
    }
}

bool isFinite(const float* values, std::size_t count)
{
    static constexpr std::uint32_t kEndless = 0x7F800000u;
    std::uint32_t isEndless = 0;
    for (std::size_t i = 0; i < count; ++i)
        isEndless |=
            static_cast<std::uint32_t>((std::bit_cast<std::uint32_t>(values[i]) & kEndless) == kEndless);
    return isEndless == 0;
}

}  // namespace hs::gguf
