#include "app/support/text_table.h"

#include "text/utf8.h"

#include <algorithm>
#include <cstdio>
#include <utility>

namespace hs::app {
namespace {

std::size_t charactersIn(const std::string& text)
{
    return static_cast<std::size_t>(
        std::ranges::count_if(text, [](char byte) { return !text::isContinuation(byte); }));
}

}  // namespace

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
    static constexpr std::size_t kLeastColumn = 12;
    std::size_t widest = 0;
    std::vector<std::size_t> columns;
    for (const Row& row : m_rows) {
        widest = std::max(widest, charactersIn(row.name));
        columns.resize(std::max(columns.size(), row.values.size()), kLeastColumn);
        for (std::size_t column = 0; column < row.values.size(); ++column)
            columns[column] = std::max(columns[column], charactersIn(row.values[column]));
    }
    std::string text;
    for (const Row& row : m_rows) {
        text += row.name + std::string(widest - charactersIn(row.name), ' ');
        for (std::size_t column = 0; column < row.values.size(); ++column)
            text += "  " + std::string(columns[column] - charactersIn(row.values[column]), ' ') +
                    row.values[column];
        text += "\n";
    }
    return text;
}

}  // namespace hs::app
