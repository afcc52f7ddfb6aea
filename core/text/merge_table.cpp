#include "text/merge_table.h"

#include <bit>

namespace hs::text {

MergeTable::MergeTable(std::size_t count) : m_mask(std::bit_ceil(2 * count + 2) - 1), m_slots(m_mask + 1) {}

void MergeTable::add(TokenId left, TokenId right, Merge merge)
{
    const std::uint64_t key = keyOf(left, right);
    std::size_t slot = slotOf(key);
    while (m_slots[slot].key != kFree && m_slots[slot].key != key)
        slot = (slot + 1) & m_mask;
    m_slots[slot] = {key, merge};
}

}  // namespace hs::text
