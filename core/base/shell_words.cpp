#include "base/shell_words.h"

#include "base/failure.h"

#include <optional>

namespace hs {

std::string shellQuoted(const std::string& text)
{
    std::string quoted = "'";
    for (const char letter : text)
        quoted += letter == '\'' ? "'\\''" : std::string(1, letter);
    return quoted + "'";
}

std::string shellLine(const std::vector<std::string>& words)
{
    static constexpr const char* kPlain =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_=+,./:@%";
    std::string line;
    for (const std::string& word : words) {
        const bool isPlain = !word.empty() && word.find_first_not_of(kPlain) == std::string::npos;
        line += (line.empty() ? "" : " ") + (isPlain ? word : shellQuoted(word));
    }
    return line;
}

std::vector<std::string> shellWords(const std::string& line)
{
    std::vector<std::string> words;
    std::optional<std::string> word;  // none between words
    char quote = 0;
    for (std::size_t at = 0; at < line.size(); ++at) {
        const char letter = line[at];
        if (quote == 0 && (letter == ' ' || letter == '\t' || letter == '\n')) {
            if (word)
                words.push_back(*std::exchange(word, std::nullopt));
            continue;
        }
        if (!word)
            word.emplace();
        if (letter == quote)
            quote = 0;
        else if (quote == 0 && (letter == '\'' || letter == '"'))
            quote = letter;
        else if (letter == '\\' && quote != '\'' && at + 1 < line.size() &&
                 (quote == 0 || line[at + 1] == '"' || line[at + 1] == '\\'))
            *word += line[++at];
        else
            *word += letter;
    }
    if (quote != 0)
        fail(ErrorCode::BadRequest, "A quote is left open in: " + line + "; close it.");
    if (word)
        words.push_back(*word);
    return words;
}

}  // namespace hs
