#include "text/vocabulary.h"

#include "base/failure.h"
#include "base/text_format.h"

#include <bit>
#include <functional>

namespace hs::text {

void Vocabulary::reserve(std::size_t count)
{
    m_entries.reserve(count);
    m_places.reserve(count);
    const std::size_t slots = std::bit_ceil(2 * count + 2);
    if (slots <= m_slots.size())
        return;
    m_slots.assign(slots, 0);
    for (std::size_t place = 0; place < m_entries.size(); ++place)
        m_slots[slotOf(text(m_entries[place]))] = static_cast<std::uint32_t>(place + 1);
}

void Vocabulary::add(std::string_view text, std::int64_t id, std::int64_t idLimit)
{
    if (id < 0 || id >= idLimit || id >= kIdLimit)
        fail(ErrorCode::BadFile, "The vocabulary gives '" + shortened(text) + "' the id " +
                                     std::to_string(id) +
                                     ", which is out of range; fetch the tokenizer's files again.");
    if (2 * m_entries.size() + 2 > m_slots.size())
        reserve(2 * m_entries.size() + 32);
    std::uint32_t& slot = m_slots[slotOf(text)];
    const auto token = static_cast<TokenId>(id);
    if (slot == 0) {
        m_entries.push_back({m_bytes.size(), static_cast<std::uint32_t>(text.size()), token});
        m_bytes.insert(m_bytes.end(), text.begin(), text.end());
        m_bytes.push_back(0);
        slot = static_cast<std::uint32_t>(m_entries.size());
    }
    m_entries[slot - 1].id = token;
    if (m_places.size() <= token)
        m_places.resize(token + 1);
    m_places[token] = slot;
}

std::optional<TokenId> Vocabulary::idOf(std::string_view text) const
{
    const std::uint32_t place = m_slots.empty() ? 0 : m_slots[slotOf(text)];
    return place == 0 ? std::nullopt : std::optional(m_entries[place - 1].id);
}

std::size_t Vocabulary::slotOf(std::string_view text) const
{
    const std::size_t mask = m_slots.size() - 1;
    std::size_t slot = std::hash<std::string_view>()(text) & mask;
    while (m_slots[slot] > 0 && this->text(m_entries[m_slots[slot] - 1]) != text)
        slot = (slot + 1) & mask;
    return slot;
}

}  // namespace hs::text
