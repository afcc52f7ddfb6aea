#include "model/fingerprint.h"

#include "base/mapped_file.h"

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <span>

namespace hs {
namespace {

constexpr std::size_t kEnd = 64 << 10;  // bytes read of either end of a file

/// 64-bit FNV-1a.
class Hash {
public:
    void add(std::span<const std::byte> bytes)
    {
        for (const std::byte byte : bytes)
            m_value = (m_value ^ static_cast<std::uint64_t>(byte)) * 1099511628211u;
    }
    void add(std::uint64_t number) { add(std::as_bytes(std::span(&number, 1))); }
    std::string text() const
    {
        char digits[17];
        std::snprintf(digits, sizeof digits, "%016llx", static_cast<unsigned long long>(m_value));
        return digits;
    }

private:
    std::uint64_t m_value = 14695981039346656037u;
};

void addEnds(Hash& hash, const std::filesystem::path& path)
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
    Hash hash;
    if (!files.config.empty())
        addEnds(hash, files.config);
    for (const std::filesystem::path& weights : files.weights)
        addEnds(hash, weights);
    return hash.text();
}

}  // namespace hs
