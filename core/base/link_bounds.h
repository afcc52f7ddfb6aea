#pragma once

#include <filesystem>

namespace hs {

/// Throws Failure where a file is a link out of its folder: a model's folder may come from anybody, who
/// must not choose which of the user's files are read. Links into a download cache's own `blobs` are
/// how it lays models out, and stay.
void requireNoLinkOut(const std::filesystem::path& file);

}  // namespace hs
