#include "model/shard_index.h"

#include "base/failure.h"
#include "base/mapped_file.h"
#include "base/strict_sax.h"
#include "base/text_format.h"
#include "base/untrusted_text.h"

#include <algorithm>
#include <utility>

namespace hs::model {
namespace {

constexpr std::uint64_t kLargestIndex = 64u << 20;

bool isPlainName(const std::string& name)
{
    return !name.empty() && name != "." && name != ".." &&
           name.find_first_of(std::string("/\\\0", 3)) == std::string::npos;
}

class IndexReader final : public StrictSax {
public:
    ShardIndex index;

private:
    bool onObject() override
    {
        if (depth() == 1 && std::exchange(m_hasMap, true))
            return refuse("holds weight_map twice");
        return depth() <= 1 || refuse("holds an object where a file name belongs");
    }

    bool onKey(std::string& key) override
    {
        if (depth() == 1 && key != "weight_map")
            skipValue();
        m_tensor = key;
        return true;
    }

    bool onString(std::string& shard) override
    {
        if (depth() != 2)
            return refuse("holds a text where none belongs");
        if (!isPlainName(shard))
            return refuse("names the shard " + quotedName(shard) + ", which is not a file of its folder");
        index.shards.push_back(shard);
        return index.shardOf.emplace(m_tensor, std::move(shard)).second ||
               refuse("names the tensor " + quotedName(m_tensor) + " twice");
    }

    std::string m_tensor;
    bool m_hasMap = false;
};

}  // namespace

ShardIndex readShardIndex(const std::filesystem::path& file)
{
    const MappedFile mapped = MappedFile::open(file);
    return parseShardIndex(mapped.text(), file.string());
}

ShardIndex parseShardIndex(std::string_view text, const std::string& file)
{
    const auto refuse = [&](const std::string& problem) {
        fail(ErrorCode::BadFile, file + " " + problem + "; download it again.");
    };
    if (text.size() > kLargestIndex)
        refuse("is " + formatBytes(text.size()) + ", too large for an index");
    IndexReader reader;
    if (!reader.read(text))
        refuse(reader.problem());
    ShardIndex index = std::move(reader.index);
    if (index.shards.empty())
        refuse("names no shards");
    std::ranges::sort(index.shards);
    index.shards.erase(std::unique(index.shards.begin(), index.shards.end()), index.shards.end());
    return index;
}

}  // namespace hs::model
