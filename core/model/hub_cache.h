#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace hs::model {

/// The layout in which huggingface_hub keeps downloads: `models--org--name/snapshots/<commit>`, whose
/// files link into `blobs`, and `refs/main`, which names the commit.

/// Whether the text can be the name of a model there: "gpt2" or "org/name".
bool isHubName(std::string_view name);

/// "models--org--name".
std::string hubEntryName(std::string_view name);

bool isHubEntry(const std::filesystem::path& folder);

/// The snapshot an entry stands for: that of refs/main, else the newest. Throws Failure.
std::filesystem::path hubSnapshot(const std::filesystem::path& entry);

/// The names of an entry's branches and tags whose commits are known, and the snapshot of one; empty where it is not
/// there.
std::vector<std::string> hubReferences(const std::filesystem::path& entry);
std::filesystem::path hubSnapshot(const std::filesystem::path& entry, const std::string& reference);

/// The "org/name" of an entry; empty where its folder's name holds none.
std::string hubNameOf(const std::filesystem::path& entry);

/// The entry that a folder is or is in; empty where it is outside such a cache.
std::filesystem::path hubEntryOf(const std::filesystem::path& folder);

/// How to get the model again, as the end of a sentence: names the exact command where the folder is in
/// the cache.
std::string downloadRemedy(const std::filesystem::path& folder);
std::string downloadCommand(std::string_view name);

}  // namespace hs::model
