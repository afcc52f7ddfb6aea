#include "features/texts/feature_name.h"

#include <algorithm>
#include <cctype>
#include <map>

namespace hs::features {
namespace {

/// A token without spaces around it; one of nothing but spaces stays as it is.
std::string bareToken(const std::string& text)
{
    const std::size_t first = text.find_first_not_of(' ');
    return first == std::string::npos ? text : text.substr(first, text.find_last_not_of(' ') + 1 - first);
}

/// Whether a token has a letter or a digit; others say nothing, as many features fire on them.
bool isWord(const std::string& text)
{
    return std::ranges::any_of(text, [](char byte) {
        return static_cast<unsigned char>(byte) >= 0x80 ||
               std::isalnum(static_cast<unsigned char>(byte)) != 0;
    });
}

}  // namespace

FeatureName nameOf(const FeatureTexts& texts)
{
    using Origin = FeatureName::Origin;
    if (!texts.label.empty())
        return {Origin::Label, texts.label};
    std::map<std::string, std::size_t> counts;
    for (const FeatureToken& token : texts.firesOn)
        if (std::string text = bareToken(token.text);
            2 * ++counts[text] > texts.firesOn.size() && (isWord(text) || texts.promotes.empty()))
            return {Origin::FiresOn, std::move(text)};
    if (!texts.promotes.empty())
        return {Origin::Promotes, bareToken(texts.promotes.front().text)};
    return {};
}

}  // namespace hs::features
