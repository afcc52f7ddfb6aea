#pragma once

#include "text/aligned_text.h"
#include "text/split.h"
#include "text/unicode_normalize.h"

#include <memory>
#include <string>
#include <vector>

namespace hs::text {

/// Rewrites text before it is split; see tokenizer.json's "normalizer". Immutable.
class Normalizer {
public:
    virtual ~Normalizer() = default;
    virtual AlignedText apply(AlignedText text) const = 0;
};

class UnicodeNormalizer : public Normalizer {
public:
    explicit UnicodeNormalizer(NormalForm form) : m_form(form) {}
    AlignedText apply(AlignedText text) const override { return normalizeUnicode(text, m_form); }

private:
    NormalForm m_form;
};

class LowercaseNormalizer : public Normalizer {
public:
    AlignedText apply(AlignedText text) const override;
};

/// Takes white space off the ends.
class StripNormalizer : public Normalizer {
public:
    StripNormalizer(bool left, bool right) : m_left(left), m_right(right) {}
    AlignedText apply(AlignedText text) const override;

private:
    bool m_left, m_right;
};

/// Puts a prefix before any text that is not empty.
class PrependNormalizer : public Normalizer {
public:
    explicit PrependNormalizer(std::string prefix) : m_prefix(std::move(prefix)) {}
    AlignedText apply(AlignedText text) const override;

private:
    std::string m_prefix;
};

class ReplaceNormalizer : public Normalizer {
public:
    ReplaceNormalizer(Pattern pattern, std::string content)
        : m_pattern(std::move(pattern)), m_content(std::move(content))
    {
    }
    AlignedText apply(AlignedText text) const override;

private:
    Pattern m_pattern;
    std::string m_content;
};

/// Turns every byte into its symbol of the byte-level alphabet.
class ByteLevelNormalizer : public Normalizer {
public:
    AlignedText apply(AlignedText text) const override;
};

class NormalizerSequence : public Normalizer {
public:
    explicit NormalizerSequence(std::vector<std::unique_ptr<Normalizer>> parts) : m_parts(std::move(parts)) {}
    AlignedText apply(AlignedText text) const override;

private:
    std::vector<std::unique_ptr<Normalizer>> m_parts;
};

/// `text` with every match of `pattern` replaced by `content`, whose origin is the last character of
/// the match.
AlignedText replaceAll(const AlignedText& text, const Pattern& pattern, std::string_view content);

}  // namespace hs::text
