#pragma once

#include "text/prompt_set.h"
#include "text/tokenizer.h"

#include <string>
#include <string_view>

namespace hs::train {

inline constexpr std::string_view kTaskWord = "task:";

/// Whether a set's name is that of a built-in task rather than of a file.
inline bool namesTask(const std::string& where)
{
    return where.starts_with(kTaskWord);
}

/// Opens a set of prompts: a file, a folder, or "task:NAME[:COUNT[:SEED]]", the pairs of a built-in task in the tokens of
/// this tokenizer. `pattern`: a template that the prompts have the values of; may be empty. Throws Failure.
text::PromptSet openPrompts(const std::string& where, text::PromptNeeds needs,
                            const text::Tokenizer* tokenizer, const std::string& pattern = {});
/// How many prompts such a set has. Throws Failure.
int countPrompts(const std::string& where, text::PromptNeeds needs, const std::string& pattern = {});
/// Tells the content of a set from any other.
std::string contentHashOf(const std::string& where);

}  // namespace hs::train
