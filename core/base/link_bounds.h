#pragma once

#include <filesystem>

namespace hs {

/// Throws Failure if a file is a link out of its folder: a model's folder may come from anybody, who must
/// not choose which of the user's files are read. Links into a download cache's own `blobs` are allowed,
/// since that is how it lays models out.
void requireNoLinkOut(const std::filesystem::path& file);

}  // namespace hs
