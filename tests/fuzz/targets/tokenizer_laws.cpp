#include "fuzz/targets/tokenizer_laws.h"

namespace hs::fuzz {

std::vector<std::int64_t> requireSoundEncoding(const text::Tokenizer& tokenizer, std::string_view text)
{
    const Result<text::Encoding> encoding = tokenizer.encode(text);
    const Result<std::vector<text::Token>> tokens = tokenizer.tokens(text);
    require(encoding.ok() == tokens.ok(), "a text is encoded with and without the tokens' texts");
    if (!encoding) {
        requireRefusal(encoding.error());
        return {};
    }
    require(encoding->ids.size() == encoding->offsets.size() && encoding->ids.size() == tokens->size(),
            "each token has its place in the text");
    for (std::size_t at = 0; at < tokens->size(); ++at) {
        const text::Token& token = (*tokens)[at];
        require(token.begin <= token.end && token.end <= text.size(), "a token's place lies inside the text");
        require(token.id == encoding->ids[at] && encoding->offsets[at] == std::pair(token.begin, token.end),
                "tokens are those of the encoding");
        require(token.text == tokenizer.tokenText(token.id), "a token has one text");
    }
    return encoding->ids;
}

}  // namespace hs::fuzz
