#pragma once

#include "base/hooks.h"
#include "engine/load/model.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace hs::train {

/// Documents of one sample, which is endless: each is a function of the seed and its number.
struct SampleRange {
    std::uint64_t seed = 1;
    std::int64_t first = 0;  // number of the first document
    std::int64_t count = 0;
    int length = 256;             // tokens of each, its first token included
    std::int64_t firstToken = 0;  // each document starts with it
    int documentsAtOnce = 0;      // 0: as many as suit the device
};

/// Draws documents from a model itself, token by token from its own probabilities, with cached keys and
/// values: data that match what the model knows. What is drawn does not depend on which documents are drawn
/// side by side, but for the rounding of products of other shapes. Called by one thread at a time.
class Sampler {
public:
    /// Computes with a copy of the weights in another type, if they have one. Throws Failure.
    Sampler(std::shared_ptr<const engine::Model> model, model::DType computedIn);
    ~Sampler();

    const model::ArchSpec& spec() const;

    /// How many documents of so many tokens are drawn side by side: thousands on a GPU, where their keys and
    /// values take at most 24 GiB and half of what is free; a few on a processor.
    std::int64_t documentsAtOnce(int length) const;

    /// [document, position] Throws Failure.
    std::vector<std::int32_t> draw(const SampleRange& range, const Hooks& hooks = {}) const;

private:
    struct Parts;
    std::unique_ptr<const Parts> m_parts;
};

}  // namespace hs::train
