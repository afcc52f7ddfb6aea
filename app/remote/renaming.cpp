#include "app/remote/renaming.h"

#include <algorithm>

namespace hs::app {

std::string Renaming::add(std::string_view text)
{
    m_held += text;
    std::string shown;
    std::size_t at = 0;
    while (at < m_held.size()) {
        const std::string_view left = std::string_view(m_held).substr(at);
        const auto isBegun = [&](const auto& name) {
            return name.first.starts_with(left) && name.first != left;
        };
        if (std::ranges::any_of(m_names, isBegun))
            break;
        const std::pair<std::string, std::string>* longest = nullptr;
        for (const auto& name : m_names)
            if (left.starts_with(name.first) && (!longest || name.first.size() > longest->first.size()))
                longest = &name;
        if (longest) {
            shown += longest->second;
            at += longest->first.size();
        } else {
            shown += m_held[at++];
        }
    }
    m_held.erase(0, at);
    return shown;
}

std::string Renaming::rest()
{
    Names names = std::exchange(m_names, {});
    std::erase_if(names, [&](const auto& name) { return name.first.size() > m_held.size(); });
    m_names = std::move(names);
    return add({});
}

}  // namespace hs::app
