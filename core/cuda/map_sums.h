#pragma once

#include "cuda/stream.h"

namespace hs::cuda {

__extension__ using MapUnits = __int128;

/// Maps of prompts of one length, added up cell by cell: a weight is a multiple of 2^-kMapFraction, cut to it where it is
/// smaller, so that no order of the prompts changes a bit.
struct MapSums {
    int prompts = 0;
    int heads = 0;
    int length = 0;
    const float* maps = nullptr;  // [prompt, head, query, key]; read where the key is not after the query

    // Added to. [head, query, key]
    MapUnits* sums = nullptr;
    MapUnits* squares = nullptr;
    float* largest = nullptr;
};

constexpr int kMapFraction = 96;

/// The twin is stats::MapTotals::add.
void addMaps(const MapSums& problem, Stream stream);

}  // namespace hs::cuda
