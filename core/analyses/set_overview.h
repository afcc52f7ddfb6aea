#pragma once

#include "analyses/set_maps.h"
#include "text/prompt_set.h"
#include "text/tokenizer.h"

#include <optional>
#include <string>
#include <vector>

namespace hs::analyses {

/// What has to be known of a whole set before the maps of its first prompt are added, in any part of it.
struct SetOverview {
    int count = 0;
    SetAlign align = SetAlign::Start;
    std::string structure = {};  // that most prompts have, where they are aligned by slots
};

/// Reads all prompts, and starts the set anew. Without a choice they are aligned by slots where there are any.
/// `tokenizer` may be null. Throws Failure.
SetOverview overviewOf(text::PromptSet& set, const text::Tokenizer* tokenizer, bool hasBos,
                       std::optional<SetAlign> align);

/// The cells of a prompt that is a filled template, which are those of most prompts. Throws Failure.
std::vector<text::TemplateCell> cellsOf(const SetOverview& overview, const text::SetPrompt& prompt,
                                        const text::Tokenizer* tokenizer, bool hasBos);

}  // namespace hs::analyses
