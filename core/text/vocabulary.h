#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace hs::text {

using TokenId = std::uint32_t;

/// Token texts and their ids, both ways. Ids may have gaps. Views of texts hold until the next `add`.
class Vocabulary {
public:
    Vocabulary() = default;
    Vocabulary(Vocabulary&&) = default;
    Vocabulary& operator=(Vocabulary&&) = default;

    static constexpr std::int64_t kIdLimit = 4 << 20;

    /// Makes room for so many tokens.
    void reserve(std::size_t count);

    /// Throws Failure for an id that is negative or not below both limits.
    void add(std::string_view text, std::int64_t id, std::int64_t idLimit = kIdLimit);

    std::optional<TokenId> idOf(std::string_view text) const;

    /// Empty for an id in a gap or beyond the end.
    std::string_view textOf(TokenId id) const
    {
        return id < m_places.size() && m_places[id] > 0 ? text(m_entries[m_places[id] - 1])
                                                        : std::string_view();
    }

    bool has(TokenId id) const { return textOf(id).data() != nullptr; }

    /// Number of tokens.
    std::size_t size() const { return m_entries.size(); }

    /// One more than the largest id.
    std::size_t idEnd() const { return m_places.size(); }

private:
    struct Entry {
        std::size_t begin;
        std::uint32_t size;
        TokenId id;
    };

    std::string_view text(const Entry& entry) const { return {m_bytes.data() + entry.begin, entry.size}; }

    /// Where a text is in m_slots, or the free slot where it would be. There must be slots.
    std::size_t slotOf(std::string_view text) const;

    std::vector<char> m_bytes;           // of all texts, each with a zero behind it: an empty one is not null
    std::vector<Entry> m_entries;        // in the order they came
    std::vector<std::uint32_t> m_slots;  // open addressing, at most half full: an entry's place + 1
    std::vector<std::uint32_t> m_places;  // [id] the same; 0 in a gap
};

}  // namespace hs::text
