#pragma once

#include "cuda/stream.h"

namespace hs::cuda {

enum class GateKind { None, Threshold, Sampled };

/// Attention of one layer over a batch of prompts: sizes, and pointers to where the kernels run.
struct AttentionProblem {
    int prompts = 0;
    int length = 0;  // of the longest prompt; every prompt has that many rows
    int heads = 0;
    int kvHeads = 0;
    int headDim = 0;
    int rotatedPairs = 0;  // dimensions (d, d + rotatedPairs) of each query and key turn together
    int window = 0;        // keys a query may see back, itself included; 0 = all
    float scale = 1;
    GateKind gate = GateKind::None;
    int layer = 0;  // mixed into the noise
    Precision precision = Precision::Float;

    const void* qkv = nullptr;              // [prompt, query, (heads + 2 kvHeads) * headDim]
    const std::int32_t* lengths = nullptr;  // [prompt]
    const float* cos = nullptr;             // [query, rotatedPairs]
    const float* sin = nullptr;             // [query, rotatedPairs]
    const float* bias = nullptr;            // [1]
    const std::int64_t* noise = nullptr;    // [2] seed, and the first prompt's number in the whole batch
};

struct AttentionResult {
    void* z = nullptr;           // [prompt, query, heads * headDim]
    float* logSumExp = nullptr;  // [prompt, head, query]
    float* expected = nullptr;   // [prompt, head, tile]: parts of the sum of sigmoid(score + bias)
    float* active = nullptr;     // [prompt, head, tile]: parts of the count of open cells
};

struct AttentionGradient {
    const void* z = nullptr;
    const float* logSumExp = nullptr;
    const void* dz = nullptr;          // as z
    const float* dExpected = nullptr;  // [prompt, head]; null: zero
    float* delta = nullptr;            // [prompt, head, query], scratch
    void* dqkv = nullptr;              // as qkv
};

constexpr int kMostHeadDim = 256;

/// How many tiles of queries the forward kernel cuts a prompt into.
int attentionTiles(const AttentionProblem& problem);

/// Nothing is allocated and nothing waits, so that a CUDA graph can record them. Sums have a fixed order.
void attentionForward(const AttentionProblem& problem, const AttentionResult& result, Stream stream);
void attentionBackward(const AttentionProblem& problem, const AttentionGradient& gradient, Stream stream);

/// The twins: the same on the processor, in float, for one head (backward: one key/value head and its
/// query heads) of one prompt. Their sums have one tile.
void attentionForwardTwin(const AttentionProblem& problem, const AttentionResult& result, int prompt,
                          int head);
void attentionBackwardTwin(const AttentionProblem& problem, const AttentionGradient& gradient, int prompt,
                           int kvHead);

}  // namespace hs::cuda
