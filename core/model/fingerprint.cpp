#include "model/fingerprint.h"

#include "base/content_hash.h"
#include "base/mapped_file.h"

#include <algorithm>
#include <span>

namespace hs::model {
namespace {

constexpr std::size_t kEnd = 64 << 10;  // bytes read at either end of a file

void addEnds(ContentHash& hash, const std::filesystem::path& path)
{
    const MappedFile file = MappedFile::open(path);
    const std::span<const std::byte> bytes = file.bytes();
    hash.add(bytes.size());
    hash.add(bytes.first(std::min(bytes.size(), kEnd)));
    hash.add(bytes.last(std::min(bytes.size(), kEnd)));
}

}  // namespace

std::string fingerprintOf(const ModelFiles& files)
{
    ContentHash hash;
    if (!files.config.empty())
        addEnds(hash, files.config);
    for (const std::filesystem::path& weights : files.weights)
        addEnds(hash, weights);
    return hash.text();
}

}  // namespace hs::model
