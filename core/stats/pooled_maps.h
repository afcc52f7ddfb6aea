#pragma once

#include "base/head_id.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

namespace hs::stats {

/// Maps of something else than weights, pooled to tiles: each cell is the value of the largest magnitude in its
/// square, as a byte on its head's own scale. Immutable, cheap to copy.
struct PooledMaps {
    HeadShape heads;
    int tokens = 0;
    int side = 0;               // cells per side of a tile
    bool isSigned = false;      // 0..255 is -full..full, 128 is 0; else 0..full
    std::vector<double> fulls;  // [layer * head] the value of byte 255
    std::vector<std::shared_ptr<const std::uint8_t[]>> tiles;  // [layer]
};

/// Pools maps that are asked for layer by layer. Cells without a value count as 0.
PooledMaps poolMaps(const HeadShape& heads, int tokens, int side, bool isSigned,
                    const std::function<std::shared_ptr<const float[]>(int layer)>& map);

/// The values as bytes whose largest magnitude is `full`.
void toBytes(std::span<const float> values, bool isSigned, double full, std::uint8_t* cells);
/// The largest magnitude.
double largest(std::span<const float> values);

}  // namespace hs::stats
