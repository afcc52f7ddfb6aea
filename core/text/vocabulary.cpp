#include "text/vocabulary.h"

#include "base/failure.h"
#include "base/text_format.h"

namespace hs::text {

void Vocabulary::add(std::string text, std::int64_t id, std::int64_t idLimit)
{
    if (id < 0 || id >= idLimit || id >= kIdLimit)
        fail(ErrorCode::BadFile, "The vocabulary gives '" + shortened(text) + "' the id " +
                                     std::to_string(id) +
                                     ", which is out of range; fetch the tokenizer's files again.");
    const auto [entry, added] = m_ids.insert_or_assign(std::move(text), static_cast<TokenId>(id));
    if (m_texts.size() <= entry->second)
        m_texts.resize(entry->second + 1);
    m_texts[entry->second] = entry->first;
}

std::optional<TokenId> Vocabulary::idOf(std::string_view text) const
{
    const auto found = m_ids.find(text);
    return found == m_ids.end() ? std::nullopt : std::optional(found->second);
}

}  // namespace hs::text
