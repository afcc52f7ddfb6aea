#pragma once

#include "features/coders/transcoders_tensors.h"
#include "features/texts/corpus_texts.h"

#include <vector>

namespace hs::features {

/// Prompts side by side, padded at their ends.
struct CorpusBatch {
    std::int64_t firstPrompt = 0;
    at::Tensor tokens;  // [prompt, position] int64
    at::Tensor counts;  // [prompt, position] bool: neither padding nor a prompt's first token
};

/// Where each feature of a layer fires most, one place a prompt at most.
struct FiringPlaces {
    at::Tensor activations;  // [example, feature], largest first; not above 0 where there is none
    at::Tensor places;       // [example, feature] int64: prompt * length + position
    at::Tensor firings;      // [feature] int64: how many tokens it fires on
};

/// Goes through a corpus batch by batch and keeps where features fire.
class CorpusPass {
public:
    CorpusPass(const TextsRequest& request, Place place, std::int64_t kept);

    void take(const CorpusBatch& batch);
    const std::vector<FiringPlaces>& layers() const { return m_places; }

private:
    void keep(FiringPlaces& places, const at::Tensor& activations, const CorpusBatch& batch) const;

    const TextsRequest& m_request;
    const model::ArchSpec& m_spec;
    Place m_place;
    std::int64_t m_kept;
    at::Device m_device;
    std::vector<CoderLayer> m_coders;  // where the model is
    std::vector<FiringPlaces> m_places;
};

}  // namespace hs::features
