#pragma once

#include "base/json.h"
#include "text/bpe.h"

#include <string_view>

namespace hs::text {

/// A JSON object of token → id, as vocab.json and tokenizer.json have it. Throws Failure.
Vocabulary readVocabulary(const Json& json);

/// Adds one line of merges.txt, "left right"; version lines are skipped. Throws Failure.
void appendMergeLine(std::string_view line, Bpe::Merges& merges);

/// Reads a whole merges.txt. Throws Failure.
Bpe::Merges readMergeLines(std::string_view text);

}  // namespace hs::text
