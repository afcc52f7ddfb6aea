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
    GreaterThan,      // "The war lasted from the year 1741 to the year 17" → a later year's two digits
};

constexpr auto enumWords(PairTask)
{
    return std::to_array<EnumWord<PairTask>>(
        {{PairTask::IndirectObjects, "indirect-objects"}, {PairTask::GreaterThan, "greater-than"}});
}

/// Two prompts with equally many tokens that differ in one and end in the same one. `corrupted` changes what
/// the answer depends on: the second mention is of the other name, or the first year is an earlier one.
struct PromptPair {
    std::string clean;
    std::string corrupted;
    std::string target;  // one token, right for `clean`
    std::string versus;  // one token; wrong for `clean`, right for `corrupted`

    friend bool operator==(const PromptPair&, const PromptPair&) = default;
};

/// Pairs of well-known tasks in the tokens of a model: names and years are those that its tokenizer has
/// as single tokens where the prompts need them. The same seed gives the same pairs on every machine. Fails
/// where the tokenizer lacks such tokens, saying what is missing.
Result<std::vector<PromptPair>> makePairs(const Tokenizer& tokenizer, PairTask task, int count,
                                          std::uint64_t seed);

}  // namespace hs::text
