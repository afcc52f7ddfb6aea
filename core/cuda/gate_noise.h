#pragma once

#include "cuda/host_device.h"

#include <cstdint>

namespace hs::cuda {

/// The noise of sampled gates: a hash of where a cell is, so that the backward pass, the twin and a
/// test get the numbers of the forward pass again without storing them.

HS_HOST_DEVICE inline std::uint64_t mixBits(std::uint64_t x)
{
    x ^= x >> 30;
    x *= 0xbf58476d1ce4e5b9ull;
    x ^= x >> 27;
    x *= 0x94d049bb133111ebull;
    return x ^ (x >> 31);
}

/// What the cells of one row of a map share.
HS_HOST_DEVICE inline std::uint64_t noiseOfRow(std::int64_t seed, int layer, int prompt, int head, int query)
{
    const std::uint64_t map = (static_cast<std::uint64_t>(static_cast<std::uint32_t>(layer)) << 32) |
                              static_cast<std::uint32_t>(head);
    const std::uint64_t row = (static_cast<std::uint64_t>(static_cast<std::uint32_t>(prompt)) << 32) |
                              static_cast<std::uint32_t>(query);
    return mixBits(mixBits(mixBits(static_cast<std::uint64_t>(seed) + 0x9e3779b97f4a7c15ull) ^ map) ^ row);
}

/// The same from an AttentionProblem's noise.
HS_HOST_DEVICE inline std::uint64_t noiseOfRow(const std::int64_t* noise, int layer, int prompt, int head,
                                               int query)
{
    return noiseOfRow(noise[0], layer, static_cast<int>(noise[1]) + prompt, head, query);
}

/// Uniform in (0, 1), both ends excluded; 23 bits, so that the half step is a float, too.
HS_HOST_DEVICE inline float noiseOfCell(std::uint64_t row, int key)
{
    std::uint32_t x = static_cast<std::uint32_t>(row) + static_cast<std::uint32_t>(key) * 0x9e3779b9u;
    x ^= x >> 16;
    x *= 0x7feb352du;
    x ^= static_cast<std::uint32_t>(row >> 32);
    x ^= x >> 15;
    x *= 0x846ca68bu;
    x ^= x >> 16;
    return (static_cast<float>(x >> 9) + 0.5f) * (1.0f / 8388608.0f);
}

}  // namespace hs::cuda
