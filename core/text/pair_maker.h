#pragma once

#include "base/draws.h"
#include "text/prompt_pairs.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace hs::text {

/// Draws a pair of a task in a tokenizer's tokens.
using DrawPair = std::function<PromptPair(Draws& draws)>;

/// Each throws Failure if the tokenizer, which has to outlive it, lacks what the task needs.
DrawPair indirectObjectPairs(const Tokenizer& tokenizer);
DrawPair greaterThanPairs(const Tokenizer& tokenizer);
DrawPair oppositePairs(const Tokenizer& tokenizer);
DrawPair inductionPairs(const Tokenizer& tokenizer, Draws& draws);

template <class Items>
const auto& oneOf(const Items& items, Draws& draws)
{
    return items[static_cast<std::size_t>(draws.below(static_cast<std::int64_t>(std::size(items))))];
}

/// Ends what says why a tokenizer does not allow a task.
inline constexpr const char* kOwnPairsRemedy =
    "; write pairs of your own for circuit --pairs, or leave this task out.";

/// The ids of a text alone.
std::vector<std::int64_t> bareIds(const Tokenizer& tokenizer, const std::string& text);
/// The token that `more` becomes after `start`, if it is a single one.
std::optional<std::int64_t> nextToken(const Tokenizer& tokenizer, const std::string& start,
                                      const std::string& more);
/// How to write a token so that singleToken finds it; none where it cannot be found.
std::optional<std::string> writtenAs(const Tokenizer& tokenizer, std::int64_t token, const std::string& word);
/// The sentence with a word in every place of the slot.
std::string filled(std::string sentence, const std::string& slot, const std::string& word);
/// What a tokenizer turns a text into that it cannot represent, as with unknown words; empty if it can.
std::string misread(const Tokenizer& tokenizer, const std::string& text);
/// Throws the Failure of a tokenizer that does not know a word of `text`.
[[noreturn]] void refuseText(const Tokenizer& tokenizer, const std::string& text);

}  // namespace hs::text
