#pragma once

#include <filesystem>
#include <string>

namespace hs::model {

/// Where models are: the user's settings for downloaded ones, empty where not set, and the folder of those
/// that ship with the program. A value, so that tests need not change the process's environment.
struct Environment {
    std::string home;            // HOME
    std::string xdgCacheHome;    // XDG_CACHE_HOME
    std::string hfHome;          // HF_HOME
    std::string hfHubCache;      // HF_HUB_CACHE
    std::string legacyHubCache;  // HUGGINGFACE_HUB_CACHE
    std::filesystem::path shippedModels;

    static Environment fromProcess();

    /// Where huggingface_hub keeps what it downloads, by its own order of precedence.
    std::filesystem::path hubCache() const;

    /// "~" and "~/…" below the home folder; everything else as it is.
    std::filesystem::path expanded(const std::string& path) const;
};

}  // namespace hs::model
