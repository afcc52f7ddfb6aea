#pragma once

#include "cuda/stream.h"
#include "stats/pattern_sums.h"

#include <cstdint>
#include <tuple>

namespace hs::stats {
struct SummaryRules;
}

namespace hs::cuda {

/// A change of some weights of a head's pattern, once they are there and the gate has been at them. Ends are not
/// included.
struct PatternEdit {
    std::int32_t query = 0;
    std::int32_t queryEnd = 0;
    std::int32_t key = 0;
    std::int32_t keyEnd = 0;
    float factor = 0;               // what the weights are multiplied by; 0: the cells count as closed
    std::int32_t renormalises = 0;  // with a factor of 0: the rows' other weights grow to the same sum

    friend bool operator==(const PatternEdit& left, const PatternEdit& right)
    {
        const auto all = [](const PatternEdit& edit) {
            return std::tie(edit.query, edit.queryEnd, edit.key, edit.keyEnd, edit.factor, edit.renormalises);
        };
        return all(left) == all(right);
    }
};

/// Attention of one layer over prompts of one length, mostly one: sizes, and pointers to where it is computed. What
/// several prompts have stands one after another.
struct PatternProblem {
    int prompts = 1;  // the twin wants one
    int length = 0;
    int heads = 0;
    int kvHeads = 0;
    int headDim = 0;
    int window = 0;  // keys a query may see back, itself included; 0 = all
    float scale = 1;
    float cap = 0;  // scaled scores become cap * tanh(score / cap); 0: they stay (the kernels want 0)
    bool isGated = false;
    float bias = 0;  // of the gate: a cell stays only where scaled and capped score + bias > 0
    int tileSide = 0;
    float threshold = 0;                          // for PatternSums::above
    const stats::SummaryRules* folded = nullptr;  // the twin's alone: of the spans that tiles and sums are of
    Precision precision = Precision::Float;

    const void* qkv = nullptr;  // [prompt, query, (heads + 2 kvHeads) * headDim], normed and turned
    const std::int32_t* tokens = nullptr;  // [prompt, query]: which positions hold the same token

    /// Made one after the other; null: there are none.
    const PatternEdit* edits = nullptr;
    const std::int32_t* firstEdits = nullptr;  // [prompt, head | end]: where each head's begin among them
};

struct PatternResult {
    void* z = nullptr;                   // [prompt, query, heads * headDim]
    std::uint8_t* tiles = nullptr;       // [prompt, head, row, column]: maxima of the weights, 0..1 as 0..255
    stats::PatternSums* sums = nullptr;  // [prompt, head]

    std::byte* scratch = nullptr;  // patternScratchBytes, zero at first; the kernel leaves it usable

    /// The kernel's alone: the weights themselves, if wanted, where a query may look; the rest stays.
    float* maps = nullptr;  // [prompt, head, query, key]
};

/// Largest head size and tile side of the kernels; the twin takes any.
constexpr int kMostPatternDim = 256;
constexpr int kMostTileSide = 128;

std::size_t patternScratchBytes(const PatternProblem& problem);

/// Scores, causal softmax, gate, tiles, statistics and weighted values, without a [query, key] number in
/// device memory but the maps that are wanted. Heads with edits are then done once more, those without have the same
/// bits with and without others' edits. Nothing is allocated and nothing waits, so that a CUDA graph can record it;
/// edits are read when it is replayed. Sums have a fixed order.
void attentionPatterns(const PatternProblem& problem, const PatternResult& result, Stream stream);

/// The twin: the same on the processor, in float, for one head. It needs no scratch.
void attentionPatternsTwin(const PatternProblem& problem, const PatternResult& result, int head);

}  // namespace hs::cuda
