#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace hs::remote {

/// The hosts that the user's ssh configuration names, without patterns, in its order. None if it cannot be read.
std::vector<std::string> configuredHosts(const std::filesystem::path& file);
/// Those of ~/.ssh/config.
std::vector<std::string> configuredHosts();

}  // namespace hs::remote
