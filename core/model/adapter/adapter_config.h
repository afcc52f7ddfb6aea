#pragma once

#include "base/json.h"

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

namespace hs::model {

/// What adapter_config.json says about a LoRA adapter.
struct AdapterConfig {
    std::string base;  // model that it was trained on: a folder or a name; may be empty
    int rank = 8;
    double alpha = 8;
    bool usesRootOfRank = false;  // rsLoRA: the change is scaled by alpha / √rank
    /// Other ranks and alphas, by a pattern of modules' names.
    std::vector<std::pair<std::string, int>> ranks;
    std::vector<std::pair<std::string, double>> alphas;
};

/// Throws Failure, with what to do instead, for an adapter that does other things than to add B · A to projections.
AdapterConfig readAdapterConfig(const Json& config, const std::filesystem::path& folder);

/// How such an adapter can be looked at all the same, as the end of a sentence.
inline constexpr const char* kMergeRemedy =
    "merge it in Python with peft's merge_and_unload() and open the folder that save_pretrained() writes.";

}  // namespace hs::model
