#include "text/single_token.h"

#include <algorithm>

namespace hs::text {
namespace {

constexpr std::size_t kPiecesNamed = 4;

std::string trimmed(const std::string& text)
{
    const std::size_t begin = text.find_first_not_of(' ');
    return begin == std::string::npos ? std::string()
                                      : text.substr(begin, text.find_last_not_of(' ') - begin + 1);
}

/// The token that a text is, if it is a single one.
std::optional<std::int64_t> oneToken(const Tokenizer& tokenizer, const std::string& text)
{
    const auto encoding = tokenizer.encode(text, /*addSpecial=*/false);
    if (!encoding || encoding->ids.size() != 1)
        return std::nullopt;
    // A word that the vocabulary lacks is one token, too: the one for unknown words.
    const std::int64_t id = encoding->ids.front();
    return trimmed(tokenizer.tokenText(id)) == trimmed(text) ? std::optional(id) : std::nullopt;
}

std::string piecesOf(const Tokenizer& tokenizer, const std::string& text)
{
    const auto encoding = tokenizer.encode(text, /*addSpecial=*/false);
    if (!encoding || encoding->ids.size() < 2)
        return {};
    std::string pieces;
    for (std::size_t index = 0; index < std::min(encoding->ids.size(), kPiecesNamed); ++index)
        pieces += (index == 0 ? "\"" : ", \"") + tokenizer.tokenText(encoding->ids[index]) + "\"";
    return encoding->ids.size() > kPiecesNamed ? pieces + ", …" : pieces;
}

}  // namespace

Result<std::int64_t> singleToken(const Tokenizer& tokenizer, const std::string& text)
{
    if (text.empty())
        return Error{ErrorCode::BadRequest, "An empty text is no token; give a word.", {}};
    for (const std::string& form : {text, " " + text})
        if (const std::optional<std::int64_t> id = oneToken(tokenizer, form))
            return *id;
    // Some tokens never come first in a text: a digit, where every text begins with a space.
    if (const auto id = tokenizer.idOf(text); id && tokenizer.tokenText(*id) == text)
        return *id;
    const std::string pieces = piecesOf(tokenizer, text);
    const std::string problem = pieces.empty()
                                    ? " is not in this model's vocabulary; choose another word."
                                    : " is more than one token here (" + pieces + "); choose one of them.";
    return Error{ErrorCode::BadRequest, "\"" + text + "\"" + problem, {}};
}

}  // namespace hs::text
