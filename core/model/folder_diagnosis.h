#pragma once

#include "model/folder_listing.h"

#include <filesystem>

namespace hs::model {

/// Says why a folder without usable weights is no model, and what to do; never returns.
[[noreturn]] void refuseFolder(const std::filesystem::path& folder, const FolderListing& listing);

/// Files that lie beside weights; to point at one of them is to point at its folder.
bool isCompanionFile(std::string_view name);
bool hasTokenizer(const FolderListing& listing);

}  // namespace hs::model
