#pragma once

#include <zlib.h>

#include <cstdint>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace hs::test {

template <class T>
std::string packedBytes(const std::vector<T>& values)
{
    std::string bytes(values.size() * sizeof(T), '\0');
    if (!values.empty())
        std::memcpy(bytes.data(), values.data(), bytes.size());
    return bytes;
}

/// An array as numpy.save writes it; `header` instead of its own if given.
inline std::string npyBytes(std::string_view type, const std::vector<std::int64_t>& shape,
                            const std::string& data, const std::string& header = {})
{
    std::string dict = header;
    if (dict.empty()) {
        dict = "{'descr': '" + std::string(type) + "', 'fortran_order': False, 'shape': (";
        for (const std::int64_t extent : shape)
            dict += std::to_string(extent) + ", ";
        dict += "), }";
    }
    dict.push_back('\n');
    const auto length = static_cast<std::uint16_t>(dict.size());
    return std::string("\x93NUMPY\x01\x00", 8) + packedBytes(std::vector{length}) + dict + data;
}

/// Texts as numpy has them, type <U.
inline std::string npyTexts(const std::vector<std::u32string>& texts, std::vector<std::int64_t> shape = {})
{
    std::size_t longest = 1;
    for (const std::u32string& text : texts)
        longest = std::max(longest, text.size());
    std::u32string letters;
    for (const std::u32string& text : texts)
        letters.append(text).append(longest - text.size(), U'\0');
    if (shape.empty())
        shape = {static_cast<std::int64_t>(texts.size())};
    return npyBytes("<U" + std::to_string(longest), shape,
                    packedBytes(std::vector<char32_t>(letters.begin(), letters.end())));
}

/// A zip file put together by hand, so that it can be wrong in every way.
class ZipFileBytes {
public:
    struct Member {
        std::string name;
        std::string data;
        bool isDeflated = false;
        bool isLarge = false;  // sizes in the 64-bit extra field
        // What the directory says; wrong if set.
        std::optional<std::uint64_t> size = {}, packed = {}, offset = {};
        std::optional<std::uint32_t> checksum = {};
        std::optional<std::uint16_t> method = {}, flags = {};
    };
    std::optional<std::uint16_t> count = {};
    std::optional<std::uint32_t> directory = {};

    ZipFileBytes& add(Member member)
    {
        m_members.push_back(std::move(member));
        return *this;
    }
    ZipFileBytes& array(const std::string& name, const std::string& npy, bool isDeflated = false)
    {
        return add({.name = name + ".npy", .data = npy, .isDeflated = isDeflated});
    }
    Member& last() { return m_members.back(); }

    std::string bytes() const
    {
        std::string file, entries;
        for (const Member& member : m_members) {
            const std::string packed = member.isDeflated ? deflated(member.data) : member.data;
            const auto checksum =
                static_cast<std::uint32_t>(crc32(0, reinterpret_cast<const Bytef*>(member.data.data()),
                                                 static_cast<uInt>(member.data.size())));
            const std::uint64_t size = member.size.value_or(member.data.size());
            const std::uint64_t packedSize = member.packed.value_or(packed.size());
            const std::uint64_t offset = member.offset.value_or(file.size());
            const std::uint32_t far = 0xffffffff;
            const std::string extra = member.isLarge ? number<std::uint16_t>(1) + number<std::uint16_t>(24) +
                                                           number(size) + number(packedSize) + number(offset)
                                                     : "";
            const auto field = [&](std::uint64_t value) {
                return number(member.isLarge ? far : static_cast<std::uint32_t>(value));
            };
            const std::string common =
                number(member.flags.value_or(0)) + number(member.method.value_or(member.isDeflated ? 8 : 0)) +
                number<std::uint32_t>(0) + number(member.checksum.value_or(checksum)) + field(packedSize) +
                field(size) + number(static_cast<std::uint16_t>(member.name.size())) +
                number(static_cast<std::uint16_t>(extra.size()));
            entries += number<std::uint32_t>(0x02014b50) + number<std::uint16_t>(45) +
                       number<std::uint16_t>(45) + common + number<std::uint16_t>(0) +
                       number<std::uint32_t>(0) + number<std::uint32_t>(0) + field(offset) + member.name +
                       extra;
            file += number<std::uint32_t>(0x04034b50) + number<std::uint16_t>(45) + common + member.name +
                    extra + packed;
        }
        const auto begin = static_cast<std::uint32_t>(file.size());
        const auto members = static_cast<std::uint16_t>(m_members.size());
        return file + entries + number<std::uint32_t>(0x06054b50) + number<std::uint32_t>(0) +
               number(count.value_or(members)) + number(count.value_or(members)) +
               number(static_cast<std::uint32_t>(entries.size())) + number(directory.value_or(begin)) +
               number<std::uint16_t>(0);
    }

    template <class T>
    static std::string number(T value)
    {
        return packedBytes(std::vector<T>{value});
    }

private:
    static std::string deflated(const std::string& data)
    {
        z_stream stream = {};
        deflateInit2(&stream, 6, Z_DEFLATED, -MAX_WBITS, 8, Z_DEFAULT_STRATEGY);
        std::string packed(deflateBound(&stream, data.size()) + 64, '\0');
        stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(data.data()));
        stream.avail_in = static_cast<uInt>(data.size());
        stream.next_out = reinterpret_cast<Bytef*>(packed.data());
        stream.avail_out = static_cast<uInt>(packed.size());
        deflate(&stream, Z_FINISH);
        packed.resize(stream.total_out);
        deflateEnd(&stream);
        return packed;
    }

    std::vector<Member> m_members;
};

}  // namespace hs::test
