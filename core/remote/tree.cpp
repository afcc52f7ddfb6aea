#include "remote/tree.h"

#include "base/text_format.h"

#include <bit>
#include <cmath>

namespace hs::remote {
namespace {

static_assert(std::endian::native == std::endian::little, "arrays are sent as they are in memory");

[[noreturn]] void refuseTree(const std::string& what)
{
    fail(ErrorCode::BadFile, "A message of the other machine " + what +
                                 "; connect again, and update both "
                                 "HeadScopes if it happens again.");
}

/// CBOR with a length before everything. Recursion is as deep as the limit.
class TreeReader {
public:
    TreeReader(std::string_view bytes, const TreeLimits& limits) : m_rest(bytes), m_limits(limits) {}

    Tree whole()
    {
        Tree tree = value(0);
        if (!m_rest.empty())
            refuseTree("goes on after its end");
        return tree;
    }

private:
    Tree value(int depth)
    {
        if (++m_nodes > m_limits.nodes)
            refuseTree("has more than " + formatCount(static_cast<std::int64_t>(m_limits.nodes)) + " values");
        const auto first = static_cast<std::uint8_t>(bytes(1).front());
        const int type = first >> 5, info = first & 31;
        switch (type) {
        case 0: return number(info);
        case 1: return negative(info);
        case 2: {
            const std::string_view content = bytes(number(info));
            return Tree::binary(std::vector<std::uint8_t>(content.begin(), content.end()));
        }
        case 3: return std::string(bytes(number(info)));
        case 4: return list(number(info), depth);
        case 5: return object(number(info), depth);
        case 7: return simple(info);
        default: refuseTree("has a tag, which none should have");
        }
    }

    Tree negative(int info)
    {
        const std::uint64_t below = number(info);
        if (below > INT64_MAX)
            refuseTree("has a number that does not fit");
        return -1 - static_cast<std::int64_t>(below);
    }

    Tree list(std::uint64_t count, int depth)
    {
        enter(count, depth);
        Tree tree = Tree::array();
        for (std::uint64_t item = 0; item < count; ++item)
            tree.push_back(value(depth + 1));
        return tree;
    }

    Tree object(std::uint64_t count, int depth)
    {
        enter(count, depth);
        Tree tree = Tree::object();
        for (std::uint64_t field = 0; field < count; ++field) {
            const auto first = static_cast<std::uint8_t>(bytes(1).front());
            if (first >> 5 != 3)
                refuseTree("has a key that is no text");
            std::string key(bytes(number(first & 31)));
            if (!tree.emplace(std::move(key), value(depth + 1)).second)
                refuseTree("has a key twice");
        }
        return tree;
    }

    Tree simple(int info)
    {
        switch (info) {
        case 20: return false;
        case 21: return true;
        case 22: return nullptr;
        case 25: return half(static_cast<std::uint16_t>(bigEndian(2)));
        case 26: return static_cast<double>(std::bit_cast<float>(static_cast<std::uint32_t>(bigEndian(4))));
        case 27: return std::bit_cast<double>(bigEndian(8));
        default: refuseTree("has a value of an unknown kind");
        }
    }

    /// Only what is not finite is written in two bytes.
    static double half(std::uint16_t bits)
    {
        if ((bits & 0x7c00) != 0x7c00)
            refuseTree("has a value of an unknown kind");
        const double size = bits & 0x3ff ? NAN : INFINITY;
        return bits & 0x8000 ? -size : size;
    }

    void enter(std::uint64_t count, int depth) const
    {
        if (depth >= m_limits.depth)
            refuseTree("is nested too deeply");
        if (count > m_rest.size())  // each item takes a byte at least
            refuseTree("ends before its time");
    }

    std::uint64_t number(int info)
    {
        if (info < 24)
            return static_cast<std::uint64_t>(info);
        if (info > 27)
            refuseTree("has a length that is not given in advance");
        return bigEndian(std::size_t(1) << (info - 24));
    }

    std::uint64_t bigEndian(std::size_t count)
    {
        std::uint64_t value = 0;
        for (const char byte : bytes(count))
            value = value << 8 | static_cast<std::uint8_t>(byte);
        return value;
    }

    std::string_view bytes(std::uint64_t count)
    {
        if (count > m_rest.size())
            refuseTree("ends before its time");
        const std::string_view taken = m_rest.substr(0, count);
        m_rest.remove_prefix(count);
        return taken;
    }

    std::string_view m_rest;
    const TreeLimits& m_limits;
    std::size_t m_nodes = 0;
};

}  // namespace

std::string encodeTree(const Tree& tree)
{
    std::string bytes;
    Tree::to_cbor(tree, bytes);
    return bytes;
}

Tree decodeTree(std::string_view bytes, const TreeLimits& limits)
{
    return TreeReader(bytes, limits).whole();
}

JsonReader reader(const Tree& tree, const std::string& what)
{
    return {tree, what, "update HeadScope on both machines"};
}

std::span<const std::uint8_t> readBytes(const JsonReader& place, std::size_t expectedBytes)
{
    if (!place.json().is_binary() || place.json().get_binary().size() != expectedBytes)
        place.refuse("an array of " + formatCount(static_cast<std::int64_t>(expectedBytes)) + " bytes");
    return place.json().get_binary();
}

Tree binaryOf(std::span<const std::byte> bytes)
{
    const auto* const first = reinterpret_cast<const std::uint8_t*>(bytes.data());
    return Tree::binary(std::vector<std::uint8_t>(first, first + bytes.size()));
}

}  // namespace hs::remote
