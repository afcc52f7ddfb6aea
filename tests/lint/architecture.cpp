#include "lint/architecture.h"

#include "lint/libraries.h"

#include <algorithm>
#include <regex>
#include <sstream>

namespace hs::lint {
namespace {

std::string trimmed(const std::string& text)
{
    const auto first = text.find_first_not_of(" \t");
    return first == std::string::npos ? "" : text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

std::vector<std::string> split(const std::string& text, char separator)
{
    std::vector<std::string> parts;
    std::istringstream stream(text);
    for (std::string part; std::getline(stream, part, separator);)
        parts.push_back(trimmed(part));
    return parts;
}

/// "`core/base`" → "core/base"; empty for a word without such quotes.
std::string quotedFolder(const std::string& word)
{
    const bool isQuoted = word.size() > 2 && word.front() == '`' && word.back() == '`';
    return isQuoted ? word.substr(1, word.size() - 2) : "";
}

class TableReader {
public:
    explicit TableReader(const SourceFile& page) : m_page(page) {}

    Architecture read()
    {
        std::istringstream lines(m_page.text);
        bool isInTable = false;
        int number = 0;
        for (std::string line; std::getline(lines, line);) {
            ++number;
            if (std::regex_match(line, std::regex(R"(\| *folder *\| *is *\| *may use *\|)")))
                isInTable = true;
            else if (isInTable && !line.starts_with("|"))
                break;
            else if (isInTable && !line.starts_with("| ---"))
                addRow(number, line);
        }
        if (m_found.rows.empty())
            m_found.problems.push_back(m_page.path + " has no table of folders: | folder | is | may use |");
        checkFolders();
        return m_found;
    }

private:
    void addRow(int number, const std::string& line)
    {
        const std::vector<std::string> cells = split(line, '|');
        FolderRow row;
        row.line = number;
        row.mayHaveManyFiles = line.find("many files: ") != std::string::npos;
        if (cells.size() != 4)
            return complain(number, "A row has three columns: folder, what it is, what it may use.");
        for (const std::string& word : split(cells[1], ',')) {
            row.folders.push_back(quotedFolder(word));
            if (row.folders.back().empty())
                return complain(number, "\"" + word + "\" is no folder in backquotes.");
        }
        for (const std::string& word : split(cells[3], ','))
            allow(row, word);
        m_found.rows.push_back(row);
    }

    void allow(FolderRow& row, const std::string& word)
    {
        if (const std::string folder = quotedFolder(word); !folder.empty())
            row.mayUse.push_back(folder);
        else if (isLibrary(word))
            row.libraries.insert(word);
        else if (word == "everything")
            row.mayUseAll = true;
        else if (word == "the above")
            for (const FolderRow& above : m_found.rows)
                row.mayUse.insert(row.mayUse.end(), above.folders.begin(), above.folders.end());
        else if (word != "nothing")
            complain(row.line, "\"" + word + "\" is neither a folder in backquotes nor a library known to " +
                                   "tests/lint/libraries.cpp.");
    }

    /// A folder that may be used must have a row, or contain folders that have one.
    void checkFolders()
    {
        std::vector<std::string> all;
        for (const FolderRow& row : m_found.rows)
            all.insert(all.end(), row.folders.begin(), row.folders.end());
        for (const FolderRow& row : m_found.rows)
            for (const std::string& folder : row.mayUse)
                if (std::none_of(all.begin(), all.end(),
                                 [&](const auto& known) { return isWithin(known, folder); }))
                    complain(row.line, "`" + folder + "` has no row.");
        std::sort(all.begin(), all.end());
        if (const auto twice = std::adjacent_find(all.begin(), all.end()); twice != all.end())
            m_found.problems.push_back(m_page.path + ": `" + *twice + "` has two rows.");
    }

    void complain(int number, const std::string& sentence)
    {
        m_found.problems.push_back(m_page.path + ":" + std::to_string(number) + ": " + sentence);
    }

    const SourceFile& m_page;
    Architecture m_found;
};

}  // namespace

bool isWithin(const std::string& path, const std::string& folder)
{
    return path == folder || path.starts_with(folder + "/");
}

const FolderRow* Architecture::rowOf(const std::string& path) const
{
    const FolderRow* found = nullptr;
    std::size_t longest = 0;
    for (const FolderRow& row : rows)
        for (const std::string& folder : row.folders)
            if (isWithin(path, folder) && folder.size() > longest) {
                found = &row;
                longest = folder.size();
            }
    return found;
}

Architecture readArchitecture(const SourceFile& page)
{
    return TableReader(page).read();
}

}  // namespace hs::lint
