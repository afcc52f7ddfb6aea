#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace hs {

/// A session's text as it is on disk now. Copied, not mapped: a mapped file that someone cuts short
/// meanwhile takes the program down. Throws Failure.
std::string readSessionText(const std::filesystem::path& file);

/// Written whole or not at all. Throws Failure.
void writeSessionText(const std::filesystem::path& file, std::string_view text);

}  // namespace hs
