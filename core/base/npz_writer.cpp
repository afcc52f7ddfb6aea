#include "base/npz_writer.h"

#include <array>
#include <bit>
#include <cstring>

namespace hs {
namespace {

static_assert(std::endian::native == std::endian::little, "npz members are written as they lie in memory");

/// CRC-32 as zip wants it, eight bytes a step.
class Checksum {
public:
    void add(std::span<const std::byte> bytes)
    {
        static const Tables kTables = makeTables();
        const auto* data = reinterpret_cast<const unsigned char*>(bytes.data());
        std::size_t left = bytes.size();
        for (; left >= 8; left -= 8, data += 8) {
            std::uint32_t low = 0;
            std::memcpy(&low, data, 4);
            low ^= m_state;
            m_state = kTables[7][low & 255] ^ kTables[6][low >> 8 & 255] ^ kTables[5][low >> 16 & 255] ^
                      kTables[4][low >> 24] ^ kTables[3][data[4]] ^ kTables[2][data[5]] ^
                      kTables[1][data[6]] ^ kTables[0][data[7]];
        }
        for (; left > 0; --left, ++data)
            m_state = kTables[0][(m_state ^ *data) & 255] ^ m_state >> 8;
    }
    std::uint32_t value() const { return ~m_state; }

private:
    using Tables = std::array<std::array<std::uint32_t, 256>, 8>;

    static Tables makeTables()
    {
        Tables tables = {};
        for (std::uint32_t byte = 0; byte < 256; ++byte) {
            std::uint32_t value = byte;
            for (int bit = 0; bit < 8; ++bit)
                value = value & 1 ? value >> 1 ^ 0xedb88320u : value >> 1;
            tables[0][byte] = value;
        }
        for (std::size_t step = 1; step < tables.size(); ++step)
            for (std::uint32_t byte = 0; byte < 256; ++byte)
                tables[step][byte] = tables[0][tables[step - 1][byte] & 255] ^ tables[step - 1][byte] >> 8;
        return tables;
    }

    std::uint32_t m_state = ~0u;
};

/// Little-endian fields of a zip record, appended.
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

constexpr std::uint16_t kZip64 = 45;              // version that knows 64-bit sizes
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

void NpzWriter::addMember(const std::string& name, std::string_view type,
                          std::span<const std::span<const std::byte>> parts,
                          const std::vector<std::int64_t>& shape)
{
    const std::string header = npyHeader(type, shape);
    Checksum checksum;
    Member member{name + ".npy", 0, header.size(), m_position};
    checksum.add(std::as_bytes(std::span(header)));
    for (const auto part : parts) {
        checksum.add(part);
        member.size += part.size();
    }
    member.checksum = checksum.value();

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
