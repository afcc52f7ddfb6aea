#include "fuzz/target.h"

#include "base/failure.h"
#include "model/shard_index.h"

#include <algorithm>
#include <filesystem>

namespace hs::fuzz {
namespace {

void check(std::string_view input)
{
    const auto index = guarded([&] { return model::parseShardIndex(input, "model.safetensors.index.json"); });
    if (!index)
        return requireRefusal(index.error());
    const std::filesystem::path folder = "/models/one";
    for (const std::string& shard : index->shards)
        require(shard.find('\0') == std::string::npos &&
                    (folder / shard).lexically_normal().parent_path() == folder,
                "a shard lies in the folder of its index");
    require(std::ranges::is_sorted(index->shards) &&
                std::ranges::adjacent_find(index->shards) == index->shards.end(),
            "each shard is named once, in order");
    for (const auto& [tensor, shard] : index->shardOf)
        require(std::ranges::binary_search(index->shards, shard), "a tensor's shard is one of the shards");
}

const Target kTarget("shard_index", check);

}  // namespace
}  // namespace hs::fuzz
