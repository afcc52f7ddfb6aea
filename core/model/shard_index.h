#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace hs::model {

/// Which shard of a split checkpoint holds which tensor: `model.safetensors.index.json`.
struct ShardIndex {
    std::map<std::string, std::string> shardOf;  // tensor name → file name
    std::vector<std::string> shards;             // each once, sorted
};

/// Throws Failure where the file is malformed or names a shard that is not a plain file name: an
/// index must not reach outside its folder.
ShardIndex readShardIndex(const std::filesystem::path& file);

/// As above, from the file's text; `file` names it in errors.
ShardIndex parseShardIndex(std::string_view text, const std::string& file);

}  // namespace hs::model
