#pragma once

#include "text/byte_span.h"

#include <array>
#include <cstdint>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace hs::text {

/// Finds any of a set of literal texts: leftmost first, the longest of those that start there.
class LiteralSet {
public:
    struct Match {
        ByteSpan bounds;
        std::uint32_t value = 0;
    };

    /// The empty text is never found; of equal texts the first counts.
    void add(std::string_view literal, std::uint32_t value);

    /// Matches from left to right, none overlapping.
    std::vector<Match> findAll(std::string_view text) const;

private:
    static constexpr std::uint32_t kNone = 0xFFFFFFFF;

    std::uint32_t child(std::uint32_t node, char byte) const;

    std::array<bool, 256> m_starts{};
    std::unordered_map<std::uint64_t, std::uint32_t> m_children;  // node << 8 | byte
    std::vector<std::uint32_t> m_values{kNone};                   // [node]; the root is 0
};

}  // namespace hs::text
