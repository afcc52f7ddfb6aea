#include "figures/parts/data_table.h"

#include "base/atomic_file.h"
#include "base/failure.h"
#include "base/npz_writer.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <cmath>

namespace hs::figures {
namespace {

std::size_t rowsOf(const DataTable& table)
{
    const std::size_t rows = table.columns.empty() ? 0 : table.columns.front().values.size();
    for (const DataColumn& column : table.columns)
        if (column.values.size() != rows)
            fail(ErrorCode::Internal,
                 "The figure's numbers do not form a table; write the figure without its data.",
                 "column " + column.name);
    return rows;
}

std::string quoted(const std::string& name)
{
    if (name.find_first_of(",\"\r\n") == std::string::npos)
        return name;
    std::string text = "\"";
    for (const char letter : name)
        text += letter == '"' ? "\"\"" : std::string(1, letter);
    return text + '"';
}

/// The fewest digits that read back as the same number; nothing for a missing value.
void appendNumber(std::string& text, double value)
{
    if (std::isnan(value))
        return;
    std::array<char, 32> digits{};
    const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), value).ptr;
    text.append(digits.data(), end);
}

void writeCsv(const DataTable& table, const std::filesystem::path& file)
{
    const std::size_t rows = rowsOf(table);
    std::string text;
    const auto appendRow = [&](auto&& appendCell) {
        for (std::size_t column = 0; column < table.columns.size(); ++column) {
            if (column > 0)
                text += ',';
            appendCell(table.columns[column]);
        }
        text += '\n';
    };
    appendRow([&](const DataColumn& column) { text += quoted(column.name); });
    for (std::size_t row = 0; row < rows; ++row)
        appendRow([&](const DataColumn& column) { appendNumber(text, column.values[row]); });
    writeFile(file, text);
}

void writeNpz(const DataTable& table, const std::filesystem::path& file)
{
    const auto rows = static_cast<std::int64_t>(rowsOf(table));
    NpzWriter out(file);
    for (const DataColumn& column : table.columns)
        out.add(column.name, column.values, {rows});
    out.finish();
}

}  // namespace

Result<std::filesystem::path> writeTable(const DataTable& table, const std::filesystem::path& file)
{
    return guarded([&] {
        std::string suffix = file.extension().string();
        std::transform(suffix.begin(), suffix.end(), suffix.begin(),
                       [](unsigned char letter) { return static_cast<char>(std::tolower(letter)); });
        if (suffix == ".csv")
            writeCsv(table, file);
        else if (suffix == ".npz")
            writeNpz(table, file);
        else
            fail(ErrorCode::BadRequest,
                 "\"" + file.filename().string() + "\" names no table format; end it in .csv or .npz.");
        return file;
    });
}

}  // namespace hs::figures
