#pragma once

#include "model/environment.h"

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace hs::model {

/// A model of Ollama's store, which keeps files under their hashes.
struct OllamaModel {
    std::string name;  // "llama3.2:1b"
    std::filesystem::path weights;
};

/// Finds a model by Ollama's name for it: "llama3.2", "llama3.2:1b", "user/model:tag", "hf.co/org/repo:tag".
/// Throws Failure.
OllamaModel findInOllama(std::string_view name, const Environment& environment);

/// The models that Ollama, llama.cpp and LM Studio keep, as locateModel takes them. Limited in depth and
/// number, and no link is followed; what cannot be read is passed over.
std::vector<std::string> modelsInStores(const Environment& environment);

/// Whether a file name can be that of a GGUF model: no vision part, and of a split model the first part.
bool isGgufModelName(std::string_view fileName);

}  // namespace hs::model
