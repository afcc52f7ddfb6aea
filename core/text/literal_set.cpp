#include "text/literal_set.h"

namespace hs::text {

namespace {

std::uint64_t keyOf(std::uint32_t node, char byte)
{
    return std::uint64_t{node} << 8 | static_cast<unsigned char>(byte);
}

}  // namespace

void LiteralSet::add(std::string_view literal, std::uint32_t value)
{
    if (literal.empty())
        return;
    m_starts[static_cast<unsigned char>(literal.front())] = true;
    std::uint32_t node = 0;
    for (const char byte : literal) {
        const auto [entry, isNew] =
            m_children.try_emplace(keyOf(node, byte), static_cast<std::uint32_t>(m_values.size()));
        if (isNew)
            m_values.push_back(kNone);
        node = entry->second;
    }
    if (m_values[node] == kNone)
        m_values[node] = value;
}

std::uint32_t LiteralSet::child(std::uint32_t node, char byte) const
{
    const auto found = m_children.find(keyOf(node, byte));
    return found == m_children.end() ? kNone : found->second;
}

std::vector<LiteralSet::Match> LiteralSet::findAll(std::string_view text) const
{
    std::vector<Match> matches;
    if (m_children.empty())
        return matches;
    for (std::size_t at = 0; at < text.size();) {
        std::size_t longest = 0;
        std::uint32_t value = kNone;
        std::uint32_t node = m_starts[static_cast<unsigned char>(text[at])] ? 0 : kNone;
        for (std::size_t i = at; i < text.size() && node != kNone; ++i) {
            node = child(node, text[i]);
            if (node != kNone && m_values[node] != kNone) {
                longest = i + 1 - at;
                value = m_values[node];
            }
        }
        if (longest > 0)
            matches.push_back(
                {{static_cast<std::uint32_t>(at), static_cast<std::uint32_t>(at + longest)}, value});
        at += longest > 0 ? longest : 1;
    }
    return matches;
}

}  // namespace hs::text
