#include "text/pre_tokenizer.h"

#include "text/byte_level.h"
#include "text/normalizer.h"
#include "text/regex_syntax.h"
#include "text/unicode_data.h"

namespace hs::text {

namespace {

// GPT-2's split: contractions, words, numbers, other runs, white space without the last space.
constexpr std::string_view kGpt2Pattern =
    R"('s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+)";

/// Rewrites every piece with `rewrite(out, piece)`, which appends to `out`.
template <class Rewrite>
void rewritePieces(Pieces& pieces, Rewrite&& rewrite)
{
    AlignedText text;
    text.reserve(pieces.text.size() + pieces.bounds.size());
    std::vector<ByteSpan> bounds;
    bounds.reserve(pieces.bounds.size());
    for (const ByteSpan& piece : pieces.bounds) {
        const std::uint32_t begin = text.size();
        rewrite(text, piece);
        if (text.size() > begin)
            bounds.push_back({begin, text.size()});
    }
    pieces.text = std::move(text);
    pieces.bounds = std::move(bounds);
}

PreTokenizer splitBy(std::string_view regex, SplitBehavior behavior, bool invert = false)
{
    return splitPreTokenizer(Pattern::regex(Regex(regex)), behavior, invert);
}

void addPrefixSpaces(Pieces& pieces)
{
    rewritePieces(pieces, [&](AlignedText& out, ByteSpan piece) {
        if (piece.of(pieces.text.text()).front() != ' ')
            out.append(" ", pieces.text.origin({piece.begin, piece.begin + 1}));
        out.append(pieces.text, piece);
    });
}

}  // namespace

PreTokenizer splitPreTokenizer(Pattern pattern, SplitBehavior behavior, bool invert)
{
    return [pattern = std::move(pattern), behavior, invert](Pieces& pieces) {
        std::vector<ByteSpan> bounds;
        for (const ByteSpan& piece : pieces.bounds) {
            const std::vector<ByteSpan> matches = pattern.findAll(piece.of(pieces.text.text()));
            for (const ByteSpan& part : splitAt(matches, piece.size(), behavior, invert))
                bounds.push_back({piece.begin + part.begin, piece.begin + part.end});
        }
        pieces.bounds = std::move(bounds);
    };
}

PreTokenizer byteLevelPreTokenizer(bool addPrefixSpace, bool useRegex)
{
    const PreTokenizer split = useRegex ? splitBy(kGpt2Pattern, SplitBehavior::Isolated) : nullptr;
    return [addPrefixSpace, split](Pieces& pieces) {
        if (addPrefixSpace)
            addPrefixSpaces(pieces);
        if (split)
            split(pieces);
        rewritePieces(pieces,
                      [&](AlignedText& out, ByteSpan piece) { appendByteSymbols(out, pieces.text, piece); });
    };
}

PreTokenizer metaspacePreTokenizer(const std::string& mark, Prepend prepend, bool split)
{
    const PreTokenizer cut =
        split ? splitPreTokenizer(Pattern::literal(mark), SplitBehavior::MergedWithNext) : nullptr;
    return [mark, prepend, space = Pattern::literal(" "), cut](Pieces& pieces) {
        rewritePieces(pieces, [&](AlignedText& out, ByteSpan piece) {
            const AlignedText marked = replaceAll(pieces.text.slice(piece), space, mark);
            const bool startsPrompt = marked.origin({0, 1}).begin == 0;
            const bool wanted = prepend == Prepend::Always || (prepend == Prepend::First && startsPrompt);
            if (wanted && !marked.text().starts_with(mark))
                out.append(mark, marked.origin({0, 1}));
            out.append(marked, {0, marked.size()});
        });
        if (cut)
            cut(pieces);
    };
}

PreTokenizer whitespacePreTokenizer()
{
    const std::string word = wordCharacterPattern();
    return splitBy(word + "+|(?:(?!" + word + ")[^\\s])+", SplitBehavior::Removed, /*invert=*/true);
}

PreTokenizer whitespaceSplitPreTokenizer()
{
    return splitBy(R"(\s)", SplitBehavior::Removed);
}

PreTokenizer digitsPreTokenizer(bool individual)
{
    // The ranges are numbers of Unicode 17, which Split does not know yet.
    return splitBy(R"([\p{N}\x{11de0}-\x{11de9}\x{16ff4}-\x{16ff6}])",
                   individual ? SplitBehavior::Isolated : SplitBehavior::Contiguous);
}

PreTokenizer punctuationPreTokenizer(SplitBehavior behavior)
{
    const std::string pattern =
        "(?![" + std::string(punctuationGaps()) + R"(])[\p{P}$+<=>^`|~\x{166d}\x{111c9}])";
    return splitPreTokenizer(Pattern::regex(Regex(pattern, Regex::UnicodeVersion::OfPcre2)), behavior);
}

}  // namespace hs::text
