#include "model/environment.h"

#include <cstdlib>

namespace hs::model {
namespace {

std::string variable(const char* name)
{
    const char* const value = std::getenv(name);
    return value ? value : "";
}

/// Beside an installed program, else in the source tree it was built from.
std::filesystem::path resourceFolder()
{
    std::error_code problem;
    const std::filesystem::path program = std::filesystem::read_symlink("/proc/self/exe", problem);
    const std::filesystem::path installed = program.parent_path().parent_path() / "share" / "headscope";
    if (!problem && std::filesystem::is_directory(installed, problem))
        return installed;
    return HS_RESOURCE_DIR;
}

}  // namespace

Environment Environment::fromProcess()
{
    Environment environment;
    environment.home = variable("HOME");
    environment.xdgCacheHome = variable("XDG_CACHE_HOME");
    environment.xdgDataHome = variable("XDG_DATA_HOME");
    environment.hfHome = variable("HF_HOME");
    environment.hfHubCache = variable("HF_HUB_CACHE");
    environment.legacyHubCache = variable("HUGGINGFACE_HUB_CACHE");
    environment.llamaCache = variable("LLAMA_CACHE");
    environment.ollamaModels = variable("OLLAMA_MODELS");
    environment.shippedModels = resourceFolder() / "models";
    environment.shippedTexts = resourceFolder() / "texts";
    return environment;
}

std::filesystem::path Environment::hubCache() const
{
    for (const std::string& cache : {hfHubCache, legacyHubCache})
        if (!cache.empty())
            return expanded(cache);
    if (!hfHome.empty())
        return expanded(hfHome) / "hub";
    return caches() / "huggingface" / "hub";
}

std::filesystem::path Environment::caches() const
{
    return xdgCacheHome.empty() ? std::filesystem::path(home) / ".cache" : expanded(xdgCacheHome);
}

std::filesystem::path Environment::ownData() const
{
    const std::filesystem::path data =
        xdgDataHome.empty() ? std::filesystem::path(home) / ".local" / "share" : expanded(xdgDataHome);
    return data / "HeadScope" / "HeadScope";
}

std::vector<std::filesystem::path> Environment::ollamaStores() const
{
    if (!ollamaModels.empty())
        return {expanded(ollamaModels)};
    if (home.empty())
        return {};
    return {std::filesystem::path(home) / ".ollama" / "models",
            "/usr/share/ollama/.ollama/models"};  // of the service
}

std::filesystem::path Environment::llamaCppCache() const
{
    if (!llamaCache.empty())
        return expanded(llamaCache);
    return home.empty() && xdgCacheHome.empty() ? std::filesystem::path() : caches() / "llama.cpp";
}

std::vector<std::filesystem::path> Environment::lmStudioFolders() const
{
    if (home.empty())
        return {};
    return {std::filesystem::path(home) / ".lmstudio" / "models", caches() / "lm-studio" / "models"};
}

std::filesystem::path Environment::expanded(const std::string& path) const
{
    if (path == "~")
        return home;
    return path.starts_with("~/") ? std::filesystem::path(home) / path.substr(2)
                                  : std::filesystem::path(path);
}

}  // namespace hs::model
