#pragma once

#include <filesystem>
#include <string>

namespace hs {

/// What ships with the program: beside an installed one, else in the source tree it was built from.
std::filesystem::path resourceFolder();

/// The folder of a model of the demo pair, "dense" or "sparse". Throws Failure.
std::filesystem::path demoFolder(const std::string& which);

}  // namespace hs
