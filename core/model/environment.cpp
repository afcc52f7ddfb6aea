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
    return {variable("HOME"),         variable("XDG_CACHE_HOME"),        variable("HF_HOME"),
            variable("HF_HUB_CACHE"), variable("HUGGINGFACE_HUB_CACHE"), resourceFolder() / "models"};
}

std::filesystem::path Environment::hubCache() const
{
    for (const std::string& cache : {hfHubCache, legacyHubCache})
        if (!cache.empty())
            return expanded(cache);
    if (!hfHome.empty())
        return expanded(hfHome) / "hub";
    const std::filesystem::path caches =
        xdgCacheHome.empty() ? std::filesystem::path(home) / ".cache" : expanded(xdgCacheHome);
    return caches / "huggingface" / "hub";
}

std::filesystem::path Environment::expanded(const std::string& path) const
{
    if (path == "~")
        return home;
    return path.starts_with("~/") ? std::filesystem::path(home) / path.substr(2)
                                  : std::filesystem::path(path);
}

}  // namespace hs::model
