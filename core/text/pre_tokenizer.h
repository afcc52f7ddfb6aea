#pragma once

#include "text/aligned_text.h"
#include "text/split.h"

#include <memory>
#include <vector>

namespace hs::text {

/// A stretch of the prompt between added tokens, cut into pieces that the model encodes one by one.
struct Pieces {
    AlignedText text;
    std::vector<ByteSpan> bounds;  // into text, in order, none empty
};

/// Cuts pieces further and may rewrite them; see tokenizer.json's "pre_tokenizer". Immutable.
class PreTokenizer {
public:
    virtual ~PreTokenizer() = default;
    virtual void apply(Pieces& pieces) const = 0;
};

class SplitPreTokenizer : public PreTokenizer {
public:
    SplitPreTokenizer(Pattern pattern, SplitBehavior behavior, bool invert = false)
        : m_pattern(std::move(pattern)), m_behavior(behavior), m_invert(invert)
    {
    }
    void apply(Pieces& pieces) const override;

private:
    Pattern m_pattern;
    SplitBehavior m_behavior;
    bool m_invert;
};

/// Turns bytes into symbols (byte_level.h), after GPT-2's own split where the file asks for it.
class ByteLevelPreTokenizer : public PreTokenizer {
public:
    ByteLevelPreTokenizer(bool addPrefixSpace, bool useRegex);
    void apply(Pieces& pieces) const override;

private:
    bool m_addPrefixSpace;
    std::unique_ptr<PreTokenizer> m_split;
};

/// Turns spaces into a visible mark, "▁" in SentencePiece's vocabularies.
class MetaspacePreTokenizer : public PreTokenizer {
public:
    enum class Prepend { Never, First, Always };

    MetaspacePreTokenizer(std::string mark, Prepend prepend, bool split);
    void apply(Pieces& pieces) const override;

private:
    std::string m_mark;
    Prepend m_prepend;
    Pattern m_space;
    std::unique_ptr<PreTokenizer> m_split;
};

constexpr auto enumWords(MetaspacePreTokenizer::Prepend)
{
    using Prepend = MetaspacePreTokenizer::Prepend;
    return std::to_array<EnumWord<Prepend>>(
        {{Prepend::Never, "never"}, {Prepend::First, "first"}, {Prepend::Always, "always"}});
}

class PreTokenizerSequence : public PreTokenizer {
public:
    explicit PreTokenizerSequence(std::vector<std::unique_ptr<PreTokenizer>> parts)
        : m_parts(std::move(parts))
    {
    }
    void apply(Pieces& pieces) const override;

private:
    std::vector<std::unique_ptr<PreTokenizer>> m_parts;
};

/// Splits into words and runs of other characters; white space is dropped.
std::unique_ptr<PreTokenizer> whitespacePreTokenizer();

/// Splits at white space, which is dropped.
std::unique_ptr<PreTokenizer> whitespaceSplitPreTokenizer();

std::unique_ptr<PreTokenizer> digitsPreTokenizer(bool individual);
std::unique_ptr<PreTokenizer> punctuationPreTokenizer(SplitBehavior behavior);

}  // namespace hs::text
