#include "model/zip_directory.h"

#include "base/failure.h"

#include <cstdint>
#include <cstring>

namespace hs::model {
namespace {

constexpr std::uint32_t kEndOfDirectory = 0x06054b50;
constexpr std::uint32_t kEndOfDirectory64 = 0x06064b50;
constexpr std::uint32_t kEndLocator64 = 0x07064b50;
constexpr std::uint32_t kDirectoryEntry = 0x02014b50;
constexpr std::uint32_t kLocalHeader = 0x04034b50;
constexpr std::size_t kEndSize = 22;
constexpr std::uint32_t kElsewhere = 0xffffffff;  // the 64-bit extra field has the value

/// Little-endian reads that never leave the file.
class Bytes {
public:
    Bytes(std::span<const std::byte> file, const std::string& what) : m_file(file), m_what(what) {}

    [[noreturn]] void refuse(const char* why) const
    {
        fail(ErrorCode::BadFile, m_what + " is not a whole torch file (" + why + "); fetch it again.");
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
    const std::string& m_what;
};

/// The end record is at the very end, unless a comment follows, which torch never writes.
std::uint64_t findEndRecord(const Bytes& bytes)
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

struct Sizes {
    std::uint64_t packed;
    std::uint64_t plain;
    std::uint64_t header;
};

/// Replaces the sizes that a large archive keeps in the 64-bit extra field.
void readExtra64(const Bytes& bytes, std::uint64_t extra, std::uint64_t length, Sizes& sizes)
{
    for (std::uint64_t at = extra; at + 4 <= extra + length;) {
        const auto id = bytes.at<std::uint16_t>(at);
        const auto size = bytes.at<std::uint16_t>(at + 2);
        if (id == 1) {
            std::uint64_t value = at + 4;
            for (std::uint64_t* field : {&sizes.plain, &sizes.packed, &sizes.header}) {
                if (*field == kElsewhere) {
                    *field = bytes.at<std::uint64_t>(value);
                    value += 8;
                }
            }
            return;
        }
        at += 4u + size;
    }
}

}  // namespace

std::map<std::string, std::span<const std::byte>> readZipDirectory(std::span<const std::byte> file,
                                                                   const std::string& what)
{
    const Bytes bytes(file, what);
    const std::uint64_t end = findEndRecord(bytes);
    std::uint64_t count = bytes.at<std::uint16_t>(end + 10);
    std::uint64_t entry = bytes.at<std::uint32_t>(end + 16);
    if (end >= 20 && bytes.at<std::uint32_t>(end - 20) == kEndLocator64) {
        const auto end64 = bytes.at<std::uint64_t>(end - 12);
        if (bytes.at<std::uint32_t>(end64) != kEndOfDirectory64)
            bytes.refuse("its 64-bit directory is missing");
        count = bytes.at<std::uint64_t>(bytes.range(end64, 56).data() - file.data() + 32);
        entry = bytes.at<std::uint64_t>(end64 + 48);
    }

    std::map<std::string, std::span<const std::byte>> members;
    for (std::uint64_t index = 0; index < count; ++index) {
        if (bytes.at<std::uint32_t>(entry) != kDirectoryEntry)
            bytes.refuse("its directory is damaged");
        const auto method = bytes.at<std::uint16_t>(entry + 10);
        const auto nameLength = bytes.at<std::uint16_t>(entry + 28);
        const auto extraLength = bytes.at<std::uint16_t>(entry + 30);
        const auto commentLength = bytes.at<std::uint16_t>(entry + 32);
        Sizes sizes{bytes.at<std::uint32_t>(entry + 20), bytes.at<std::uint32_t>(entry + 24),
                    bytes.at<std::uint32_t>(entry + 42)};
        readExtra64(bytes, entry + 46 + nameLength, extraLength, sizes);
        if (method != 0 || sizes.packed != sizes.plain)
            bytes.refuse("it holds compressed members, which torch.save never writes");

        if (bytes.at<std::uint32_t>(sizes.header) != kLocalHeader)
            bytes.refuse("a member is damaged");
        const std::uint64_t data = sizes.header + 30 + bytes.at<std::uint16_t>(sizes.header + 26) +
                                   bytes.at<std::uint16_t>(sizes.header + 28);
        const auto name = bytes.range(entry + 46, nameLength);
        members[std::string(reinterpret_cast<const char*>(name.data()), name.size())] =
            bytes.range(data, sizes.plain);
        entry += 46u + nameLength + extraLength + commentLength;
    }
    return members;
}

}  // namespace hs::model
