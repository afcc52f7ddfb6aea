#pragma once

#include "text/vocabulary.h"

#include <bit>
#include <cstdint>
#include <vector>

namespace hs::text {

/// The merges of a BPE model: which two tokens join, to what, and how early. Open addressing,
/// because every step of an encoding looks pairs up.
class MergeTable {
public:
    struct Merge {
        std::uint32_t rank = 0;  // lower joins earlier
        TokenId joined = 0;
    };

    explicit MergeTable(std::size_t count) : m_mask(std::bit_ceil(2 * count + 2) - 1), m_slots(m_mask + 1) {}

    /// A pair that is already there takes the new merge.
    void add(TokenId left, TokenId right, Merge merge)
    {
        const std::uint64_t key = keyOf(left, right);
        std::size_t slot = slotOf(key);
        while (m_slots[slot].key != kFree && m_slots[slot].key != key)
            slot = (slot + 1) & m_mask;
        m_slots[slot] = {key, merge};
    }

    /// Null when the two do not join.
    const Merge* find(TokenId left, TokenId right) const
    {
        const std::uint64_t key = keyOf(left, right);
        for (std::size_t slot = slotOf(key);; slot = (slot + 1) & m_mask) {
            if (m_slots[slot].key == key)
                return &m_slots[slot].merge;
            if (m_slots[slot].key == kFree)
                return nullptr;
        }
    }

private:
    static constexpr std::uint64_t kFree = ~std::uint64_t{0};

    struct Slot {
        std::uint64_t key = kFree;
        Merge merge;
    };

    static std::uint64_t keyOf(TokenId left, TokenId right) { return std::uint64_t{left} << 32 | right; }
    std::size_t slotOf(std::uint64_t key) const { return (key * 0x9E3779B97F4A7C15u >> 32) & m_mask; }

    std::size_t m_mask;
    std::vector<Slot> m_slots;
};

}  // namespace hs::text
