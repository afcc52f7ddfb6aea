#include "app/support/shell_words.h"

namespace hs::app {

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

}  // namespace hs::app
