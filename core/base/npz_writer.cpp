#include "base/npz_writer.h"

#include <zlib.h>

#include <algorithm>
#include <array>
#include <bit>

namespace hs {
namespace {

static_assert(std::endian::native == std::endian::little, "npz members are written as they lie in memory");

/// Collects the little-endian fields of a zip record.
class Record {
public:
    template <class Integer>
    Record& put(Integer value)
    {
        m_bytes.append(reinterpret_cast<const char*>(&value), sizeof value);
        return *this;
    }
    Record& put(const std::string& text)
    {
        m_bytes += text;
        return *this;
    }
    std::span<const std::byte> bytes() const { return std::as_bytes(std::span(m_bytes)); }

private:
    std::string m_bytes;
};

std::string npyHeader(std::string_view type, const std::vector<std::int64_t>& shape)
{
    std::string dict = "{'descr': '" + std::string(type) + "', 'fortran_order': False, 'shape': (";
    for (const std::int64_t extent : shape)
        dict += std::to_string(extent) + ", ";
    dict += "), }";
    // Magic, version and length take 10 bytes; the data starts at a multiple of 64.
    dict.append(64 - (10 + dict.size() + 1) % 64, ' ').push_back('\n');
    std::string header = "\x93NUMPY";
    header.push_back('\x01');
    header.push_back('\x00');
    const auto length = static_cast<std::uint16_t>(dict.size());
    header.append(reinterpret_cast<const char*>(&length), 2);
    return header + dict;
}

constexpr std::uint16_t kZip64 = 45;              // version that has 64-bit sizes
constexpr std::uint32_t kElsewhere = 0xffffffff;  // "see the 64-bit extra field"

}  // namespace

void NpzWriter::add(const std::string& name, std::span<const std::int64_t> values,
                    const std::vector<std::int64_t>& shape)
{
    const std::array parts = {std::as_bytes(values)};
    addMember(name, "<i8", parts, shape);
}

void NpzWriter::add(const std::string& name, std::span<const double> values,
                    const std::vector<std::int64_t>& shape)
{
    const std::array parts = {std::as_bytes(values)};
    addMember(name, "<f8", parts, shape);
}

void NpzWriter::add(const std::string& name, std::span<const std::span<const float>> parts,
                    const std::vector<std::int64_t>& shape)
{
    std::vector<std::span<const std::byte>> bytes;
    for (const std::span<const float> part : parts)
        bytes.push_back(std::as_bytes(part));
    addMember(name, "<f4", bytes, shape);
}

void NpzWriter::add(const std::string& name, std::span<const std::u32string> texts)
{
    std::size_t longest = 1;
    for (const std::u32string& text : texts)
        longest = std::max(longest, text.size());
    std::u32string letters;
    for (const std::u32string& text : texts)
        letters.append(text).append(longest - text.size(), U'\0');
    const std::array parts = {std::as_bytes(std::span(letters))};
    addMember(name, "<U" + std::to_string(longest), parts, {static_cast<std::int64_t>(texts.size())});
}

void NpzWriter::addMember(const std::string& name, std::string_view type,
                          std::span<const std::span<const std::byte>> parts,
                          const std::vector<std::int64_t>& shape)
{
    const std::string header = npyHeader(type, shape);
    Member member{name + ".npy", 0, 0, m_position};
    const auto include = [&member](std::span<const std::byte> bytes) {
        if (bytes.empty())  // zlib would start anew on a null pointer
            return;
        member.checksum = static_cast<std::uint32_t>(
            crc32_z(member.checksum, reinterpret_cast<const Bytef*>(bytes.data()), bytes.size()));
        member.size += bytes.size();
    };
    include(std::as_bytes(std::span(header)));
    for (const auto part : parts)
        include(part);

    Record local;
    local.put(std::uint32_t{0x04034b50}).put(kZip64).put(std::uint16_t{0}).put(std::uint16_t{0});
    local.put(std::uint32_t{0x00210000});  // the first of January 1980: equal content, equal bytes
    local.put(member.checksum).put(kElsewhere).put(kElsewhere);
    local.put(static_cast<std::uint16_t>(member.name.size())).put(std::uint16_t{20}).put(member.name);
    local.put(std::uint16_t{1}).put(std::uint16_t{16}).put(member.size).put(member.size);
    write(local.bytes());
    write(std::as_bytes(std::span(header)));
    for (const auto part : parts)
        write(part);
    m_members.push_back(std::move(member));
}

void NpzWriter::writeDirectory()
{
    const std::uint64_t start = m_position;
    for (const Member& member : m_members) {
        Record entry;
        entry.put(std::uint32_t{0x02014b50})
            .put(kZip64)
            .put(kZip64)
            .put(std::uint16_t{0})
            .put(std::uint16_t{0});
        entry.put(std::uint32_t{0x00210000}).put(member.checksum).put(kElsewhere).put(kElsewhere);
        entry.put(static_cast<std::uint16_t>(member.name.size()))
            .put(std::uint16_t{28})
            .put(std::uint16_t{0});
        entry.put(std::uint16_t{0})
            .put(std::uint16_t{0})
            .put(std::uint32_t{0})
            .put(kElsewhere)
            .put(member.name);
        entry.put(std::uint16_t{1})
            .put(std::uint16_t{24})
            .put(member.size)
            .put(member.size)
            .put(member.offset);
        write(entry.bytes());
    }
    const std::uint64_t size = m_position - start;
    const std::uint64_t count = m_members.size();
    const std::uint64_t end64 = m_position;
    Record end;
    end.put(std::uint32_t{0x06064b50}).put(std::uint64_t{44}).put(kZip64).put(kZip64);
    end.put(std::uint32_t{0}).put(std::uint32_t{0}).put(count).put(count).put(size).put(start);
    end.put(std::uint32_t{0x07064b50}).put(std::uint32_t{0}).put(end64).put(std::uint32_t{1});
    end.put(std::uint32_t{0x06054b50}).put(std::uint16_t{0}).put(std::uint16_t{0});
    end.put(std::uint16_t{0xffff})
        .put(std::uint16_t{0xffff})
        .put(kElsewhere)
        .put(kElsewhere)
        .put(std::uint16_t{0});
    write(end.bytes());
}

void NpzWriter::write(std::span<const std::byte> bytes)
{
    m_file.writeAt(m_position, bytes);
    m_position += bytes.size();
}

void NpzWriter::finish()
{
    writeDirectory();
    m_file.commit();
}

}  // namespace hs
