#pragma once

#include "base/draws.h"
#include "text/prompt_pairs.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace hs::text {

/// Draws the pairs of one task in a tokenizer's tokens.
class PairMaker {
public:
    PairMaker(const Tokenizer& tokenizer, PairTask task, std::uint64_t seed)
        : m_tokenizer(tokenizer), m_draws({static_cast<std::uint64_t>(task), seed})
    {
    }
    virtual ~PairMaker() = default;

    /// Different pairs, each fit for patching. Throws Failure if there are not so many.
    std::vector<PromptPair> make(int count);

protected:
    virtual PromptPair draw() = 0;

    template <class Items>
    const auto& one(const Items& items)
    {
        return items[static_cast<std::size_t>(m_draws.below(static_cast<std::int64_t>(std::size(items))))];
    }

    /// Throws the Failure of a tokenizer that does not know a word of `text`.
    [[noreturn]] void refuse(const std::string& text) const;

    const Tokenizer& m_tokenizer;
    Draws m_draws;
};

/// Each throws Failure if the tokenizer lacks what the task needs.
std::unique_ptr<PairMaker> indirectObjectPairs(const Tokenizer& tokenizer, std::uint64_t seed);
std::unique_ptr<PairMaker> greaterThanPairs(const Tokenizer& tokenizer, std::uint64_t seed);
std::unique_ptr<PairMaker> oppositePairs(const Tokenizer& tokenizer, std::uint64_t seed);
std::unique_ptr<PairMaker> inductionPairs(const Tokenizer& tokenizer, std::uint64_t seed);

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

}  // namespace hs::text
