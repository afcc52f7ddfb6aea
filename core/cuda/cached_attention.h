#pragma once

#include "cuda/host_device.h"
#include "cuda/stream.h"

namespace hs::cuda {

/// One layer's attention of documents that grow side by side, a token each at a time: the newest is turned, its
/// key and value are kept, and its heads look at all that are kept.
struct CachedAttentionProblem {
    int documents = 0;
    int heads = 0;
    int kvHeads = 0;
    int headDim = 0;
    int rotatedPairs = 0;  // dimensions (d, d + rotatedPairs) of each query and key turn together
    int first = 0;         // the earliest token that is seen
    int position = 0;      // of the newest
    int room = 0;          // tokens that the caches have room for
    float scale = 1;       // of the scores
    float cap = 0;         // soft limit of the scores; 0: none
    Precision precision = Precision::Float;

    const void* qkv = nullptr;   // [document, (heads + 2 kvHeads) * headDim], the newest token's
    const float* cos = nullptr;  // [rotatedPairs], at its position
    const float* sin = nullptr;
    void* keys = nullptr;  // [document, key/value head, room, headDim]
    void* values = nullptr;
    void* z = nullptr;  // [document, heads * headDim]

    HS_HOST_DEVICE int seen() const { return position + 1 - first; }
};

/// Whether the kernel's working memory suffices for what is seen.
bool canAttendCached(const CachedAttentionProblem& problem);
void cachedAttention(const CachedAttentionProblem& problem, Stream stream);

/// The twin, in float, for one key/value head of one document.
void cachedAttentionTwin(const CachedAttentionProblem& problem, int document, int kvHead);

}  // namespace hs::cuda
