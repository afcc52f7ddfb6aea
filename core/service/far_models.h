#pragma once

#include "remote/tree.h"
#include "text/tokenizer.h"

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

namespace hs::service {

/// The files of a model's tokenizer, by name, to be opened on another machine; those that say the same where it
/// is inside the weights. [name → bytes] Throws Failure.
remote::Tree tokenizerFiles(const std::string& source);
/// The tokenizer made of them. Throws Failure.
std::shared_ptr<const text::Tokenizer> tokenizerFrom(const JsonReader& files);

/// A folder on another machine, for choosing a model there.
struct FarFolder {
    struct Model {
        std::string source;  // as that machine calls it
        std::string name;
        std::string family;
        std::uint64_t bytes = 0;
        std::string problem;  // why it cannot be opened; empty if it can
    };
    std::string path;                  // absolute
    std::string parent;                // empty at the root
    std::vector<std::string> folders;  // names in it, sorted
    std::vector<Model> models;         // in it, then those of that machine's download cache
};

/// `path` empty: the user's home there. Reads the disk; throws Failure.
FarFolder listFarFolder(const std::string& path);
remote::Tree toTree(const FarFolder& folder);
FarFolder farFolderFrom(const JsonReader& reader);

}  // namespace hs::service
