#pragma once

#include "cuda/stream.h"

namespace hs::cuda {

enum class HeadNorm { None, PerHead, AllHeads };

/// What architectures do to queries, keys and values between projection and attention, in place.
struct HeadPreparation {
    int length = 0;
    int heads = 0;
    int kvHeads = 0;
    int headDim = 0;
    float clip = 0;        // largest magnitude; 0: no clipping
    int rotatedPairs = 0;  // dimensions (d, d + rotatedPairs) of each query and key turn together
    HeadNorm norm = HeadNorm::None;
    float eps = 0;
    Precision precision = Precision::Float;

    void* qkv = nullptr;               // [query, (heads + 2 kvHeads) * headDim]
    const void* queryScale = nullptr;  // of the norm: [headDim] or [heads * headDim]; null: one
    const void* keyScale = nullptr;    // [headDim] or [kvHeads * headDim]
    const float* cos = nullptr;        // [query, rotatedPairs]
    const float* sin = nullptr;        // [query, rotatedPairs]

    bool isNeeded() const { return clip > 0 || rotatedPairs > 0 || norm != HeadNorm::None; }
};

void prepareHeads(const HeadPreparation& problem, Stream stream);

/// The twin, for rows [begin, end) in float.
void prepareHeadsTwin(const HeadPreparation& problem, int begin, int end);

}  // namespace hs::cuda
