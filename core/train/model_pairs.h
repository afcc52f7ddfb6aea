#pragma once

#include "text/prompt_pairs.h"
#include "text/tokenizer.h"

#include <cstdint>
#include <vector>

namespace hs::train {

/// Whether a tokenizer gives the words of the built-in tasks their ids.
bool knowsTaskWords(const text::Tokenizer& tokenizer);

/// Pairs of a task in the tokens of a model: held-out ones where its tokenizer has the words of the built-in
/// tasks, with seed 1 those of TaskSuite::pair from number 0 on; otherwise those of makePairs.
Result<std::vector<text::PromptPair>> modelPairs(const text::Tokenizer& tokenizer, text::PairTask task,
                                                 int count, std::uint64_t seed);

}  // namespace hs::train
