#pragma once

#include "text/byte_span.h"
#include "text/vocabulary.h"

#include <functional>
#include <string_view>
#include <vector>

namespace hs::text {

/// A token of the whole prompt; `origin` is its bytes there, empty for an inserted token.
struct PromptToken {
    TokenId id = 0;
    ByteSpan origin;
    std::string_view text;  // as the vocabulary has it, or the matched text of an added token
};

/// Works on the tokens of a whole prompt; see tokenizer.json's "post_processor".
using PostProcessor =
    std::function<void(std::string_view prompt, bool addSpecial, std::vector<PromptToken>& tokens)>;

/// Takes white space at a token's ends out of its range.
void trimOffsets(std::string_view prompt, std::vector<PromptToken>& tokens, bool keepFirstSpace);

/// Puts special tokens around the prompt.
PostProcessor templateProcessor(std::vector<TokenId> before, std::vector<TokenId> after);

}  // namespace hs::text
