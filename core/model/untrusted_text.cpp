#include "model/untrusted_text.h"

#include "base/text_format.h"

#include <algorithm>

namespace hs {
namespace {

constexpr std::size_t kLongestName = 100;
constexpr std::size_t kMostNames = 3;

bool continuesCharacter(char byte)
{
    return (static_cast<unsigned char>(byte) & 0xC0) == 0x80;
}

}  // namespace

std::string quotedName(std::string_view name)
{
    std::size_t length = std::min(name.size(), kLongestName);
    while (length > 0 && length < name.size() && continuesCharacter(name[length]))
        --length;
    std::string text = "\"";
    for (const char byte : name.substr(0, length))
        text += static_cast<unsigned char>(byte) < 0x20 || byte == 0x7F ? '?' : byte;
    return text + (length < name.size() ? "…\"" : "\"");
}

std::string quotedNames(const std::vector<std::string>& names)
{
    const std::size_t shown = std::min(names.size(), kMostNames);
    std::string text;
    for (std::size_t i = 0; i < shown; ++i)
        text += (i == 0 ? "" : i + 1 == names.size() ? " and " : ", ") + quotedName(names[i]);
    if (shown < names.size())
        text += " and " + formatCount(static_cast<std::int64_t>(names.size() - shown)) + " more";
    return text;
}

}  // namespace hs
