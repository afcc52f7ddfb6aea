#include "base/feature_id.h"

#include <charconv>

namespace hs {
namespace {

/// Takes a letter and the number behind it off the front of `text`.
std::optional<int> takeNumberAfter(char letter, std::string_view& text)
{
    if (!text.starts_with(letter))
        return {};
    int number = 0;
    const auto [end, code] = std::from_chars(text.data() + 1, text.data() + text.size(), number);
    if (code != std::errc() || number < 0)
        return {};
    text.remove_prefix(static_cast<std::size_t>(end - text.data()));
    return number;
}

}  // namespace

std::string toString(FeatureId id)
{
    return "L" + std::to_string(id.layer) + "F" + std::to_string(id.index);
}

std::optional<FeatureId> parseFeatureId(std::string_view text)
{
    const std::optional<int> layer = takeNumberAfter('L', text);
    const std::optional<int> index = layer ? takeNumberAfter('F', text) : std::nullopt;
    if (!index || !text.empty())
        return {};
    return FeatureId{*layer, *index};
}

}  // namespace hs
