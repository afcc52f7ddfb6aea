#pragma once

#include "lint/source_rules.h"

#include <set>
#include <string>
#include <vector>

namespace hs::lint {

/// A row of ARCHITECTURE.md's table of folders:
///
///     | `core/model` | finding a model | `core/base`, zlib |
///
/// A folder covers all below it that have no row of their own. The last column names folders and outside
/// libraries, "the above" for the folders of all previous rows, "everything" or "nothing"; only what is named
/// there may be included, not what that uses in turn. "many files: …" anywhere in a row allows its folders
/// more files than others and says why.
struct FolderRow {
    int line = 0;
    std::vector<std::string> folders;
    std::vector<std::string> mayUse;  // folders of rows, and folders above them
    std::set<std::string> libraries;  // "Qt Gui"
    bool mayUseAll = false;
    bool mayHaveManyFiles = false;
};

struct Architecture {
    std::vector<FolderRow> rows;
    Findings problems;  // what could not be understood

    /// The row of a file or folder: that of the longest folder it is in; null if there is none.
    const FolderRow* rowOf(const std::string& path) const;
};

/// Reads the first table of a page with the header "folder | is | may use".
Architecture readArchitecture(const SourceFile& page);

/// Whether a path is that folder or is in it.
bool isWithin(const std::string& path, const std::string& folder);

}  // namespace hs::lint
