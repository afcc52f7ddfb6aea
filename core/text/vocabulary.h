#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace hs::text {

using TokenId = std::uint32_t;

/// Token texts and their ids, both ways. Ids may have gaps.
class Vocabulary {
public:
    Vocabulary() = default;
    Vocabulary(Vocabulary&&) = default;
    Vocabulary& operator=(Vocabulary&&) = default;

    static constexpr std::int64_t kIdLimit = 4 << 20;

    /// Throws Failure for an id that is negative or not below both limits.
    void add(std::string text, std::int64_t id, std::int64_t idLimit = kIdLimit);

    std::optional<TokenId> idOf(std::string_view text) const;

    /// Empty for an id in a gap or beyond the end.
    std::string_view textOf(TokenId id) const
    {
        return id < m_texts.size() ? m_texts[id] : std::string_view();
    }

    bool has(TokenId id) const { return textOf(id).data() != nullptr; }

    /// Number of tokens.
    std::size_t size() const { return m_ids.size(); }

    /// One more than the largest id.
    std::size_t idEnd() const { return m_texts.size(); }

private:
    struct Hash {
        using is_transparent = void;
        std::size_t operator()(std::string_view text) const { return std::hash<std::string_view>()(text); }
    };

    std::unordered_map<std::string, TokenId, Hash, std::equal_to<>> m_ids;
    std::vector<std::string_view> m_texts;  // [id], into the keys of m_ids
};

}  // namespace hs::text
