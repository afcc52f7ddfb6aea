#include "fuzz/targets/tokenizer_laws.h"

#include "base/failure.h"
#include "text/tokenizer_parts.h"

#include <array>

namespace hs::fuzz {
namespace {

using namespace std::string_view_literals;

constexpr std::array kTexts = {"the girl's  2 caf\xc3\xa9s <s>\n"sv, "\xff\0 \xe6\x97\xa5 aaaa aaaa"sv};

void check(std::string_view input)
{
    const auto parts = guarded([&] { return text::makeTokenizerParts(parseJson(input, "tokenizer.json")); });
    if (!parts)
        return requireRefusal(parts.error());
    // Made again, since parts cannot be copied.
    const text::Tokenizer tokenizer(text::makeTokenizerParts(parseJson(input, "tokenizer.json")));
    for (const std::string_view text : kTexts) {
        const Result<std::string> decoded = tokenizer.decode(requireSoundEncoding(tokenizer, text));
        if (!decoded)
            requireRefusal(decoded.error());
    }
}

const Target kTarget("tokenizer_json", check);

}  // namespace
}  // namespace hs::fuzz
