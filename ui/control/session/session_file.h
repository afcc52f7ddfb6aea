#pragma once

#include <filesystem>
#include <string>

namespace hs::control {

/// A session's text as it is on disk now. Copied, not mapped: a mapped file that someone cuts short
/// meanwhile takes the program down. Throws Failure.
std::string readSessionText(const std::filesystem::path& file);

}  // namespace hs::control
