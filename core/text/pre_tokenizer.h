#pragma once

#include "text/aligned_text.h"
#include "text/split.h"

#include <functional>
#include <vector>

namespace hs::text {

/// A stretch of the prompt between added tokens, cut into pieces that the model encodes one by one.
struct Pieces {
    AlignedText text;
    std::vector<ByteSpan> bounds;  // into text, in order, none empty
};

/// Cuts pieces further and may rewrite them; see tokenizer.json's "pre_tokenizer".
using PreTokenizer = std::function<void(Pieces& pieces)>;

PreTokenizer splitPreTokenizer(Pattern pattern, SplitBehavior behavior, bool invert = false);

/// Turns bytes into symbols (byte_level.h), after GPT-2's own split where the file asks for it.
PreTokenizer byteLevelPreTokenizer(bool addPrefixSpace, bool useRegex);

/// Where a mark is put before a piece that does not begin with one.
enum class Prepend { Never, First, Always };

constexpr auto enumWords(Prepend)
{
    return std::to_array<EnumWord<Prepend>>(
        {{Prepend::Never, "never"}, {Prepend::First, "first"}, {Prepend::Always, "always"}});
}

/// Turns spaces into a visible mark, "▁" in SentencePiece's vocabularies.
PreTokenizer metaspacePreTokenizer(const std::string& mark, Prepend prepend, bool split);

/// Splits into words and runs of other characters; white space is dropped.
PreTokenizer whitespacePreTokenizer();
/// Splits at white space, which is dropped.
PreTokenizer whitespaceSplitPreTokenizer();
PreTokenizer digitsPreTokenizer(bool individual);
PreTokenizer punctuationPreTokenizer(SplitBehavior behavior);

}  // namespace hs::text
