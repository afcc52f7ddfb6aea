#include "model/model_files.h"

namespace hs::model {

std::string titleOf(const ModelFiles& files)
{
    static constexpr std::string_view kCached = "models--";
    for (const std::filesystem::path& part : files.folder) {
        std::string name = part.string();
        if (!name.starts_with(kCached))
            continue;
        name.erase(0, kCached.size());
        if (const std::size_t separator = name.find("--"); separator != std::string::npos)
            name.replace(separator, 2, "/");
        return name;
    }
    if (files.config.empty() && files.weights.size() == 1)
        return files.weights.front().stem().string();
    const std::filesystem::path folder = std::filesystem::weakly_canonical(files.folder);
    return folder.filename().string();
}

}  // namespace hs::model
