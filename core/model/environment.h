#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace hs::model {

/// Where models are: the user's settings for downloaded ones, empty where not set, and the folders of those
/// and of the texts that ship with the program; and where the user's own files go. A value, so that tests need not change the process's environment.
struct Environment {
    std::string home;            // HOME
    std::string xdgCacheHome;    // XDG_CACHE_HOME
    std::string xdgDataHome;     // XDG_DATA_HOME
    std::string hfHome;          // HF_HOME
    std::string hfHubCache;      // HF_HUB_CACHE
    std::string legacyHubCache;  // HUGGINGFACE_HUB_CACHE
    std::string llamaCache;      // LLAMA_CACHE
    std::string ollamaModels;    // OLLAMA_MODELS
    std::filesystem::path shippedModels;
    std::filesystem::path shippedTexts;

    static Environment fromProcess();

    /// Where huggingface_hub keeps what it downloads, by its own order of precedence.
    std::filesystem::path hubCache() const;

    // Where other programs keep GGUF files; none of the folders need exist.
    std::vector<std::filesystem::path> ollamaStores() const;
    std::filesystem::path llamaCppCache() const;
    std::vector<std::filesystem::path> lmStudioFolders() const;

    /// Where the program keeps what is the user's, the window as well.
    std::filesystem::path ownData() const;

    /// "~" and "~/…" below the home folder; everything else as it is.
    std::filesystem::path expanded(const std::string& path) const;

private:
    std::filesystem::path caches() const;
};

}  // namespace hs::model
