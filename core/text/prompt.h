#pragma once

#include "base/result.h"
#include "text/tokenizer.h"

#include <string>
#include <string_view>
#include <vector>

namespace hs::text {

struct PromptTokens {
    std::vector<Token> tokens;
    std::vector<std::string> notes;  // what the user should know
};

/// The tokens that a model reads for a prompt: a text, or a chat as JSON (see parseChat), whose tokens have roles and
/// whose offsets are those in the text it becomes. `hasBos`: with the token that begins a text, which is never doubled.
Result<PromptTokens> readPrompt(const Tokenizer& tokenizer, std::string_view prompt, bool isChat,
                                bool hasBos);

}  // namespace hs::text
