#include "app/support/text_table.h"

#include <algorithm>
#include <cstdio>
#include <utility>

namespace hs::app {

std::string signedNumber(double value)
{
    char text[32];
    std::snprintf(text, sizeof text, "%+.4f", value);
    return text;
}

void TextTable::add(std::string name, std::vector<std::string> values)
{
    m_rows.push_back({std::move(name), std::move(values)});
}

std::string TextTable::text() const
{
    static constexpr std::size_t kColumn = 12;
    std::size_t widest = 0;
    for (const Row& row : m_rows)
        widest = std::max(widest, row.name.size());
    std::string text;
    for (const Row& row : m_rows) {
        text += row.name + std::string(widest - row.name.size(), ' ');
        for (const std::string& value : row.values)
            text += "  " + std::string(kColumn - std::min(kColumn, value.size()), ' ') + value;
        text += "\n";
    }
    return text;
}

}  // namespace hs::app
