#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace hs::lint {

/// A text file of the repository; `path` is relative to its root, with forward slashes.
struct SourceFile {
    std::string path;
    std::string text;
};

/// Violations in a file, one sentence each: "core/base/x.h:3: names a path of one machine."
using Findings = std::vector<std::string>;

/// No source file of 500 lines or more.
Findings checkLength(const SourceFile& file);

/// No absolute paths of a developer's machine.
Findings checkMachinePaths(const SourceFile& file);

/// No semicolons in test names: CMake would split the name and run neither part.
Findings checkTestNames(const SourceFile& file);

/// A package list names each package once, in alphabetical order.
Findings checkPackageList(const SourceFile& file);

/// Every text file below the root, build folders and hidden folders left out.
std::vector<SourceFile> readSources(const std::filesystem::path& root);

}  // namespace hs::lint
