#pragma once

#include "base/enum_words.h"
#include "base/result.h"
#include "base/token_spans.h"
#include "text/token_match.h"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace hs::text {

/// What a text is cut into.
enum class BlockUnit { Tokens, Words, Sentences, Lines, Messages, Own };

constexpr auto enumWords(BlockUnit)
{
    return std::to_array<EnumWord<BlockUnit>>({{BlockUnit::Tokens, "tokens"},
                                               {BlockUnit::Words, "words"},
                                               {BlockUnit::Sentences, "sentences"},
                                               {BlockUnit::Lines, "lines"},
                                               {BlockUnit::Messages, "messages"},
                                               {BlockUnit::Own, "own"}});
}

/// Neighbouring tokens that the user marked.
struct OwnBlock {
    TokenSpan tokens;
    std::string name = {};  // empty: what they say

    friend bool operator==(const OwnBlock&, const OwnBlock&) = default;
};

/// Most bytes of a name; longer ones are cut.
inline constexpr std::size_t kLongestBlockName = 60;

/// How a user wants a text to be cut.
struct BlockChoice {
    BlockUnit unit = BlockUnit::Tokens;
    std::vector<OwnBlock> own = {};  // in order, none overlaps the next; kept while another unit is chosen

    bool isNone() const { return unit == BlockUnit::Tokens || (unit == BlockUnit::Own && own.empty()); }

    /// Marks tokens; marks that overlap them give way. A name without commas, which separate blocks.
    void mark(const OwnBlock& block);
    /// Takes away the mark that a token has.
    void unmark(int token);

    friend bool operator==(const BlockChoice&, const BlockChoice&) = default;
};

/// The text form: a unit's word, or the user's own blocks: "0-4=question,5-12,14=answer".
std::string toString(const BlockChoice& choice);
std::string toString(const std::vector<OwnBlock>& own);
Result<BlockChoice> parseBlocks(std::string_view text);

/// A text's blocks, one behind the other. None where each would have one token.
struct Blocks {
    TokenSpans spans;
    std::vector<std::string> names;  // [block]
};

/// Messages are cut with what the template puts around them, and a text that is no chat has none. Own blocks leave the other
/// tokens as they are; those that reach beyond the text end with it. What begins a text stays by itself.
Blocks blocksOf(const BlockChoice& choice, std::span<const Token> tokens);

/// Blocks as tokens: the text of each is its name, and equal ones have equal ids.
std::vector<Token> tokensOf(const Blocks& blocks, std::span<const Token> tokens);

}  // namespace hs::text
