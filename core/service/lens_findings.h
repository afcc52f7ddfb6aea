#pragma once

#include "engine/run/head_write.h"
#include "engine/run/lens.h"
#include "engine/run/saliency.h"

#include <cstdint>
#include <optional>

namespace hs::service {

/// What is asked of lenses besides a prompt and a target.
struct LensSetup {
    bool withHalves = false;  // for Lens: also between attention and MLP
    int steps = 1;            // for Saliency: in which gradients are integrated
    std::optional<int> key;   // for HeadWords: only what the head brings from there

    friend bool operator==(const LensSetup&, const LensSetup&) = default;
};

/// What a model would predict after each of its layers, at every position of a prompt.
struct PromptLens {
    std::int64_t target = 0;  // whose rank is in every reading
    engine::Lens layers;

    friend bool operator==(const PromptLens&, const PromptLens&) = default;
};

inline constexpr int kHeadWords = 6;  // tokens that a head pushes, and that it holds down

/// What a head writes and what it looks for: at one position of a prompt, and by its weights alone for the tokens of
/// one cell there. Lists are empty, and the score is missing, as long as they are not known.
struct HeadWords {
    engine::HeadWrite onPrompt;
    int key = 0;  // of the cell: the one that was asked for, or the one with the largest weight
    std::int64_t queryToken = 0;
    std::int64_t keyToken = 0;
    engine::PromotedTokens written;  // when it reads keyToken; see analyses::tokensWritten
    engine::PromotedTokens sought;   // by queryToken; see analyses::keysPreferred
    std::optional<double> copying;   // see analyses::copyingScore
};

}  // namespace hs::service
