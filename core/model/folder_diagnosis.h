#pragma once

#include "model/folder_listing.h"

#include <filesystem>

namespace hs::model {

/// Throws a Failure that says why a folder without usable weights is not a model, and what to do.
[[noreturn]] void refuseFolder(const std::filesystem::path& folder, const FolderListing& listing);

/// Whether a file is one that accompanies weights; pointing at it means pointing at its folder.
bool isCompanionFile(std::string_view name);
bool hasTokenizer(const FolderListing& listing);

}  // namespace hs::model
