#include "base/untrusted_text.h"

#include "base/text_format.h"

#include <algorithm>

namespace hs {
namespace {

constexpr std::size_t kMostNames = 3;

}  // namespace

std::string quotedName(std::string_view name)
{
    std::string text = '"' + shortened(name) + '"';
    std::ranges::replace_if(
        text, [](char byte) { return static_cast<unsigned char>(byte) < 0x20 || byte == 0x7F; }, '?');
    return text;
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
