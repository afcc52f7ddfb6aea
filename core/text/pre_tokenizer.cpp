#include "text/pre_tokenizer.h"

#include "text/byte_level.h"
#include "text/normalizer.h"
#include "text/regex_syntax.h"
#include "text/text_growth.h"
#include "text/time_limit.h"
#include "text/unicode_data.h"

namespace hs::text {

namespace {

// GPT-2's split: contractions, words, numbers, other runs, white space without the last space.
constexpr std::string_view kGpt2Pattern =
    R"('s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+)";

/// Rewrites every piece with `rewrite(out, piece index)`, which appends to `out`.
template <class Rewrite>
void rewritePieces(Pieces& pieces, Rewrite&& rewrite)
{
    AlignedText text;
    text.reserve(pieces.text.size() + pieces.bounds.size());
    std::vector<ByteSpan> bounds;
    bounds.reserve(pieces.bounds.size());
    for (std::size_t i = 0; i < pieces.bounds.size(); ++i) {
        const std::uint32_t begin = text.size();
        rewrite(text, i);
        if (text.size() > begin)
            bounds.push_back({begin, text.size()});
    }
    pieces.text = std::move(text);
    pieces.bounds = std::move(bounds);
}

std::unique_ptr<PreTokenizer> splitBy(std::string_view regex, SplitBehavior behavior, bool invert = false)
{
    return std::make_unique<SplitPreTokenizer>(Pattern::regex(Regex(regex)), behavior, invert);
}

}  // namespace

void SplitPreTokenizer::apply(Pieces& pieces) const
{
    std::vector<ByteSpan> bounds;
    for (const ByteSpan& piece : pieces.bounds) {
        const std::vector<ByteSpan> matches = m_pattern.findAll(piece.of(pieces.text.text()));
        for (const ByteSpan& part : splitAt(matches, piece.size(), m_behavior, m_invert))
            bounds.push_back({piece.begin + part.begin, piece.begin + part.end});
    }
    pieces.bounds = std::move(bounds);
}

ByteLevelPreTokenizer::ByteLevelPreTokenizer(bool addPrefixSpace, bool useRegex)
    : m_addPrefixSpace(addPrefixSpace),
      m_split(useRegex ? splitBy(kGpt2Pattern, SplitBehavior::Isolated) : nullptr)
{
}

void ByteLevelPreTokenizer::apply(Pieces& pieces) const
{
    if (m_addPrefixSpace)
        rewritePieces(pieces, [&](AlignedText& out, std::size_t i) {
            const ByteSpan piece = pieces.bounds[i];
            if (piece.of(pieces.text.text()).front() != ' ')
                out.append(" ", pieces.text.origin({piece.begin, piece.begin + 1}));
            out.append(pieces.text, piece);
        });
    if (m_split)
        m_split->apply(pieces);
    rewritePieces(pieces, [&](AlignedText& out, std::size_t i) {
        appendByteSymbols(out, pieces.text, pieces.bounds[i]);
    });
}

MetaspacePreTokenizer::MetaspacePreTokenizer(std::string mark, Prepend prepend, bool split)
    : m_mark(std::move(mark)), m_prepend(prepend), m_space(Pattern::literal(" "))
{
    if (split)
        m_split =
            std::make_unique<SplitPreTokenizer>(Pattern::literal(m_mark), SplitBehavior::MergedWithNext);
}

void MetaspacePreTokenizer::apply(Pieces& pieces) const
{
    rewritePieces(pieces, [&](AlignedText& out, std::size_t i) {
        const AlignedText marked = replaceAll(pieces.text.slice(pieces.bounds[i]), m_space, m_mark);
        const bool startsPrompt = marked.origin({0, 1}).begin == 0;
        const bool wanted = m_prepend == Prepend::Always || (m_prepend == Prepend::First && startsPrompt);
        if (wanted && !marked.text().starts_with(m_mark))
            out.append(m_mark, marked.origin({0, 1}));
        out.append(marked, {0, marked.size()});
    });
    if (m_split)
        m_split->apply(pieces);
}

void PreTokenizerSequence::apply(Pieces& pieces) const
{
    const std::size_t prompt = pieces.text.origin().size();
    for (const auto& part : m_parts) {
        TimeLimit::check();
        part->apply(pieces);
        requireModestGrowth(pieces.text.size(), prompt);
    }
}

std::unique_ptr<PreTokenizer> whitespacePreTokenizer()
{
    const std::string word = wordCharacterPattern();
    return splitBy(word + "+|(?:(?!" + word + ")[^\\s])+", SplitBehavior::Removed, /*invert=*/true);
}

std::unique_ptr<PreTokenizer> whitespaceSplitPreTokenizer()
{
    return splitBy(R"(\s)", SplitBehavior::Removed);
}

std::unique_ptr<PreTokenizer> digitsPreTokenizer(bool individual)
{
    // The ranges are numbers of Unicode 17, which Split does not know yet.
    return splitBy(R"([\p{N}\x{11de0}-\x{11de9}\x{16ff4}-\x{16ff6}])",
                   individual ? SplitBehavior::Isolated : SplitBehavior::Contiguous);
}

std::unique_ptr<PreTokenizer> punctuationPreTokenizer(SplitBehavior behavior)
{
    const std::string pattern =
        "(?![" + std::string(punctuationGaps()) + R"(])[\p{P}$+<=>^`|~\x{166d}\x{111c9}])";
    return std::make_unique<SplitPreTokenizer>(Pattern::regex(Regex(pattern, Regex::UnicodeVersion::OfPcre2)),
                                               behavior);
}

}  // namespace hs::text
