#pragma once

#include <filesystem>
#include <string>

namespace hs::control {

/// A session's text as it is on disk now. Copied, not mapped: truncating a mapped file would crash the
/// program. Throws Failure.
std::string readSessionText(const std::filesystem::path& file);

}  // namespace hs::control
