#include "base/zip_members.h"

#include "base/failure.h"
#include "base/untrusted_text.h"

#include <algorithm>
#include <cstring>
#include <string_view>

namespace hs {
namespace {

constexpr std::uint32_t kEndOfDirectory = 0x06054b50;
constexpr std::uint32_t kEndOfDirectory64 = 0x06064b50;
constexpr std::uint32_t kEndLocator64 = 0x07064b50;
constexpr std::uint32_t kDirectoryEntry = 0x02014b50;
constexpr std::uint32_t kLocalHeader = 0x04034b50;
constexpr std::size_t kEndSize = 22;
constexpr std::uint32_t kInExtraField = 0xffffffff;  // the 64-bit extra field has the value
constexpr std::uint16_t kStored = 0;
constexpr std::uint16_t kDeflated = 8;
constexpr std::uint64_t kMostGrowth = 1032;  // of what deflate can pack into a byte

/// Little-endian reads that never leave the file.
class ZipBytes {
public:
    ZipBytes(std::span<const std::byte> file, const ZipWords& words) : m_file(file), m_words(words) {}

    [[noreturn]] void refuse(const std::string& why) const
    {
        fail(ErrorCode::BadFile,
             m_words.file + " is not a whole " + m_words.kind + " (" + why + "); " + m_words.remedy + ".");
    }

    std::span<const std::byte> range(std::uint64_t offset, std::uint64_t length) const
    {
        if (offset > m_file.size() || length > m_file.size() - offset)
            refuse("a member lies outside the file");
        return m_file.subspan(offset, length);
    }

    template <class Integer>
    Integer at(std::uint64_t offset) const
    {
        Integer value = 0;
        std::memcpy(&value, range(offset, sizeof value).data(), sizeof value);
        return value;
    }

    std::uint64_t size() const { return m_file.size(); }

private:
    std::span<const std::byte> m_file;
    const ZipWords& m_words;
};

/// The end record is at the very end, unless a comment follows.
std::uint64_t findEndRecord(const ZipBytes& bytes)
{
    if (bytes.size() < kEndSize)
        bytes.refuse("too short");
    const std::uint64_t last = bytes.size() - kEndSize;
    const std::uint64_t first = last > 0xffff ? last - 0xffff : 0;
    for (std::uint64_t at = last + 1; at-- > first;)
        if (bytes.at<std::uint32_t>(at) == kEndOfDirectory)
            return at;
    bytes.refuse("its end is missing");
}

struct ZipSizes {
    std::uint64_t packed;
    std::uint64_t plain;
    std::uint64_t header;
};

/// Replaces the sizes that a large archive keeps in the 64-bit extra field.
void readExtra64(const ZipBytes& bytes, std::uint64_t extra, std::uint64_t length, ZipSizes& sizes)
{
    for (std::uint64_t at = extra; at + 4 <= extra + length;) {
        const auto id = bytes.at<std::uint16_t>(at);
        const auto size = bytes.at<std::uint16_t>(at + 2);
        if (id == 1) {
            std::uint64_t value = at + 4;
            for (std::uint64_t* field : {&sizes.plain, &sizes.packed, &sizes.header}) {
                if (*field == kInExtraField) {
                    *field = bytes.at<std::uint64_t>(value);
                    value += 8;
                }
            }
            return;
        }
        at += 4u + size;
    }
}

struct DirectoryPlace {
    std::uint64_t count;  // of entries
    std::uint64_t begin;
};

DirectoryPlace findDirectory(const ZipBytes& bytes)
{
    const std::uint64_t end = findEndRecord(bytes);
    if (end < 20 || bytes.at<std::uint32_t>(end - 20) != kEndLocator64)
        return {bytes.at<std::uint16_t>(end + 10), bytes.at<std::uint32_t>(end + 16)};
    const auto end64 = bytes.at<std::uint64_t>(end - 12);
    bytes.range(end64, 56);
    if (bytes.at<std::uint32_t>(end64) != kEndOfDirectory64)
        bytes.refuse("its 64-bit directory is missing");
    return {bytes.at<std::uint64_t>(end64 + 32), bytes.at<std::uint64_t>(end64 + 48)};
}

/// Where a member is, its own header included.
struct ZipPlace {
    std::uint64_t begin;
    std::uint64_t end;
};

/// Reads the entry at `entry` and moves to the next.
std::pair<ZipMember, ZipPlace> takeMember(const ZipBytes& bytes, std::uint64_t& entry)
{
    static constexpr std::uint16_t kEncrypted = 1;
    if (bytes.at<std::uint32_t>(entry) != kDirectoryEntry)
        bytes.refuse("its directory is damaged");
    const auto flags = bytes.at<std::uint16_t>(entry + 8);
    const auto method = bytes.at<std::uint16_t>(entry + 10);
    const auto nameLength = bytes.at<std::uint16_t>(entry + 28);
    const auto extraLength = bytes.at<std::uint16_t>(entry + 30);
    const auto commentLength = bytes.at<std::uint16_t>(entry + 32);
    ZipSizes sizes{bytes.at<std::uint32_t>(entry + 20), bytes.at<std::uint32_t>(entry + 24),
                   bytes.at<std::uint32_t>(entry + 42)};
    readExtra64(bytes, entry + 46 + nameLength, extraLength, sizes);
    const auto name = bytes.range(entry + 46, nameLength);

    ZipMember member;
    member.name.assign(reinterpret_cast<const char*>(name.data()), name.size());
    if (flags & kEncrypted)
        bytes.refuse(quotedName(member.name) + " is encrypted");
    if (method != kStored && method != kDeflated)
        bytes.refuse(quotedName(member.name) + " is packed by an unknown method");
    member.isDeflated = method == kDeflated;
    member.size = sizes.plain;
    member.checksum = bytes.at<std::uint32_t>(entry + 16);
    if (!member.isDeflated && sizes.packed != sizes.plain)
        bytes.refuse(quotedName(member.name) + " has two sizes");
    if (member.isDeflated && sizes.plain / kMostGrowth > sizes.packed)
        bytes.refuse(quotedName(member.name) + " is said to be larger than its bytes can unpack to");

    if (bytes.at<std::uint32_t>(sizes.header) != kLocalHeader)
        bytes.refuse("a member is damaged");
    const std::uint64_t data = sizes.header + 30 + bytes.at<std::uint16_t>(sizes.header + 26) +
                               bytes.at<std::uint16_t>(sizes.header + 28);
    member.bytes = bytes.range(data, sizes.packed);
    entry += 46u + nameLength + extraLength + commentLength;
    return {std::move(member), ZipPlace{sizes.header, data + sizes.packed}};
}

}  // namespace

std::vector<ZipMember> readZipMembers(std::span<const std::byte> file, const ZipWords& words)
{
    const ZipBytes bytes(file, words);
    const DirectoryPlace directory = findDirectory(bytes);
    std::vector<ZipMember> members;
    std::vector<ZipPlace> places;
    std::uint64_t entry = directory.begin;
    for (std::uint64_t index = 0; index < directory.count; ++index) {
        auto [member, place] = takeMember(bytes, entry);
        members.push_back(std::move(member));
        places.push_back(place);
    }
    std::ranges::sort(places, {}, &ZipPlace::begin);
    for (std::size_t index = 1; index < places.size(); ++index)
        if (places[index].begin < places[index - 1].end)
            bytes.refuse("two of its members share bytes");
    std::vector<std::string_view> names;
    for (const ZipMember& member : members)
        names.push_back(member.name);
    std::ranges::sort(names);
    if (const auto twin = std::ranges::adjacent_find(names); twin != names.end())
        bytes.refuse("it holds " + quotedName(*twin) + " twice");
    return members;
}

}  // namespace hs
