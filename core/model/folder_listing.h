#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace hs::model {

/// The names in a folder, sorted; links that lead nowhere count as files.
struct FolderListing {
    std::vector<std::string> files;
    std::vector<std::string> folders;

    bool has(std::string_view file) const;
};

/// Throws Failure where the folder cannot be read or is too large to be a model's.
FolderListing listFolder(const std::filesystem::path& folder);

}  // namespace hs::model
