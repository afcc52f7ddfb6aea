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

}  // namespace hs::app
