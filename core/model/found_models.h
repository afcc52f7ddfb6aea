#pragma once

#include "model/arch_spec.h"
#include "model/environment.h"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace hs::model {

/// A model on this machine, as far as the names of its files, their headers and config.json tell.
struct FoundModel {
    std::string where;  // as locateModel takes it
    std::string name;   // for titles
    std::filesystem::path folder;
    std::filesystem::path file;     // of a GGUF model, whose folder may hold others; else empty
    std::string family;             // `model_type` of its config; empty without one
    std::optional<ArchSpec> spec;   // none without a config that this program understands
    std::uint64_t bytesOnDisk = 0;  // of its weights
    std::string problem;            // why it cannot be opened, ending with the remedy; empty if it can

    friend bool operator==(const FoundModel&, const FoundModel&) = default;
};

/// No model is in two of the lists.
struct FoundModels {
    std::vector<FoundModel> named;       // in the order given
    std::vector<FoundModel> downloaded;  // in the caches and stores of other programs
    std::vector<FoundModel> beside;      // in the folders that named models are in, or just below
};

/// Looks for models without loading any: `named` ones whatever they are, those of the download cache and of
/// llama.cpp, LM Studio and Ollama, and those beside the named ones. Those that can be opened come first, by name. Limited in depth and number; cycles
/// of links are not followed, and what is no model is passed over. Reads files, so not for a UI thread.
FoundModels foundModels(const std::vector<std::string>& named, const Environment& environment);

}  // namespace hs::model
