#pragma once

#include "lint/architecture.h"

#include <map>
#include <string>
#include <vector>

namespace hs::lint {

/// One #include of a file.
struct Include {
    std::string from;  // the file that includes
    int line = 0;
    std::string text;    // as written: "engine/engine.h"
    std::string target;  // our file that it names; empty for an outside library's
};

/// Every include in our C++ files. Paths are relative to app, core, tests or ui, or to the file's own folder.
std::vector<Include> readIncludes(const std::vector<SourceFile>& files);

/// Whether a path names a C++ file.
bool isCpp(const std::string& path);

/// A file includes only what its folder's row allows; torch's headers, which are slow, and those of ours that
/// include them (torch*.h, *_tensors.h) only in .cpp files and in each other.
Findings checkIncludes(const std::vector<Include>& includes, const Architecture& architecture);

/// Every folder with C++ files has a row and at most 60 of them, unless the row allows more; every row's
/// folder exists.
Findings checkFolders(const std::vector<SourceFile>& files, const Architecture& architecture);

/// The folder of a file: "core/base/json.h" → "core/base".
std::string folderOf(const std::string& path);

}  // namespace hs::lint
