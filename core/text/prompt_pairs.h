#pragma once

#include "base/enum_words.h"
#include "base/result.h"
#include "text/tokenizer.h"

#include <cstdint>
#include <string>
#include <vector>

namespace hs::text {

enum class PairTask {
    IndirectObjects,  // "When Mary and John went to the store, John gave a drink to" → " Mary"
    GreaterThan,  // "The war lasted from the year 1741 to the year 17" → a later year's two digits, or the
                  // first of them where each digit is a token
    Opposites,    // "The opposite of "large" is "" → "small"
    Induction,    // random words, repeated: "… pot lamp run … pot lamp" → " run"
};

constexpr auto enumWords(PairTask)
{
    return std::to_array<EnumWord<PairTask>>({{PairTask::IndirectObjects, "indirect-objects"},
                                              {PairTask::GreaterThan, "greater-than"},
                                              {PairTask::Opposites, "opposites"},
                                              {PairTask::Induction, "induction"}});
}

/// Two prompts with equally many tokens that differ in one and end in the same one. `corrupted` changes what
/// the answer depends on: the second mention is of the other name, the first year is an earlier one, another
/// word is asked about, or another one stands where the answer stood first.
struct PromptPair {
    std::string clean;
    std::string corrupted;
    std::string target;                // one token, right for `clean`
    std::string versus;                // one token; wrong for `clean`, right for `corrupted`
    std::vector<std::string> answers;  // all tokens that are right for `clean`

    friend bool operator==(const PromptPair&, const PromptPair&) = default;
};

/// Pairs of well-known tasks in the tokens of a model: names, years and words are those that its tokenizer
/// has as single tokens where the prompts need them. The same seed gives the same pairs on every machine. Fails
/// where the tokenizer lacks such tokens, saying what is missing.
Result<std::vector<PromptPair>> makePairs(const Tokenizer& tokenizer, PairTask task, int count,
                                          std::uint64_t seed);

}  // namespace hs::text
