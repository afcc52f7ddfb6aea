#include "app/shell/completion.h"

#include <algorithm>
#include <array>

namespace hs::app {

ValueKind valueKind(const OptionFacts& option)
{
    static constexpr std::array kModelOptions = {"--model", "--dense", "--sparse"};
    if (!option.choices.empty())
        return ValueKind::Choices;
    if (std::ranges::find_first_of(option.names, kModelOptions) != option.names.end())
        return ValueKind::Models;
    if (option.value == "DIR")
        return ValueKind::Folders;
    return option.value == "F" || option.value == "FILE" ? ValueKind::Files : ValueKind::Anything;
}

std::string shellQuoted(const std::string& text)
{
    std::string quoted = "'";
    for (const char letter : text)
        quoted += letter == '\'' ? "'\\''" : std::string(1, letter);
    return quoted + "'";
}

}  // namespace hs::app
