#include "e2e/guide/source_messages.h"

#include <algorithm>
#include <fstream>
#include <iterator>
#include <sstream>

namespace hs::test {

std::string wordsIn(const std::string& source)
{
    std::string words;
    bool isInside = false;
    for (std::size_t at = 0; at < source.size(); ++at) {
        if (isInside && source[at] == '\\')
            words += source[++at];
        else if (source[at] == '"')
            isInside = !isInside;
        else if (isInside)
            words += source[at];
        else if (source.compare(at, 2, "//") == 0)
            at = std::min(source.find('\n', at), source.size());
        else if (source.compare(at, 3, "'\"'") == 0)
            at += 2;
    }
    return words;
}

std::vector<std::string> sourceWords(const std::filesystem::path& root)
{
    std::vector<std::string> words;
    for (const char* folder : {"app", "core", "ui"})
        for (const auto& entry : std::filesystem::recursive_directory_iterator(root / folder))
            if (entry.path().extension() == ".cpp" || entry.path().extension() == ".h") {
                std::ifstream stream(entry.path(), std::ios::binary);
                words.push_back(wordsIn({std::istreambuf_iterator<char>(stream), {}}));
            }
    return words;
}

std::vector<std::string> explainedMessages(const std::string& prose)
{
    std::vector<std::string> messages;
    std::istringstream lines(prose);
    bool isInside = false;
    for (std::string line; std::getline(lines, line);) {
        const bool isQuote = line.starts_with("> ");
        if (isQuote && isInside)
            messages.back() += " " + line.substr(2);
        else if (isQuote)
            messages.push_back(line.substr(2));
        isInside = isQuote;
    }
    return messages;
}

bool isSaid(const std::string& message, const std::vector<std::string>& words)
{
    static const std::string kAnything = "…";
    std::vector<std::string> parts;
    for (std::size_t begin = 0; begin < message.size();) {
        const std::size_t end = std::min(message.find(kAnything, begin), message.size());
        parts.push_back(message.substr(begin, end - begin));
        begin = end + kAnything.size();
    }
    return std::ranges::any_of(words, [&](const std::string& file) {
        return std::ranges::all_of(
            parts, [&](const std::string& part) { return file.find(part) != std::string::npos; });
    });
}

}  // namespace hs::test
