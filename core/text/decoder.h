#pragma once

#include "text/split.h"

#include <memory>
#include <string>
#include <vector>

namespace hs::text {

/// A token on its way back to text. Bytes, not always valid UTF-8.
struct DecoderToken {
    std::string text;
    bool isVerbatim = false;  // an added token: literal text, even if its letters are symbols too
};

/// Turns tokens back into text; see tokenizer.json's "decoder". Immutable.
class Decoder {
public:
    virtual ~Decoder() = default;
    virtual void apply(std::vector<DecoderToken>& tokens) const = 0;

    /// Decodes one token alone, as if in the middle of a text: nothing is taken off its ends.
    virtual void applyInside(DecoderToken& token) const = 0;
};

/// A decoder that treats every token alike, wherever it stands.
class TokenwiseDecoder : public Decoder {
public:
    void apply(std::vector<DecoderToken>& tokens) const override;
};

class ByteLevelDecoder : public TokenwiseDecoder {
public:
    void applyInside(DecoderToken& token) const override;
};

/// Reads "<0x0A>" as a byte.
class ByteFallbackDecoder : public TokenwiseDecoder {
public:
    void applyInside(DecoderToken& token) const override;
};

class ReplaceDecoder : public TokenwiseDecoder {
public:
    ReplaceDecoder(Pattern pattern, std::string content)
        : m_pattern(std::move(pattern)), m_content(std::move(content))
    {
    }
    void applyInside(DecoderToken& token) const override;

private:
    Pattern m_pattern;
    std::string m_content;
};

class FuseDecoder : public Decoder {
public:
    void apply(std::vector<DecoderToken>& tokens) const override;
    void applyInside(DecoderToken&) const override {}
};

/// Takes a character off the ends of each token, up to `start` and `stop` times.
class StripDecoder : public Decoder {
public:
    StripDecoder(std::string character, std::size_t start, std::size_t stop)
        : m_character(std::move(character)), m_start(start), m_stop(stop)
    {
    }
    void apply(std::vector<DecoderToken>& tokens) const override;
    void applyInside(DecoderToken&) const override {}

private:
    std::string m_character;
    std::size_t m_start, m_stop;
};

class MetaspaceDecoder : public Decoder {
public:
    MetaspaceDecoder(std::string mark, bool dropsFirst) : m_mark(std::move(mark)), m_dropsFirst(dropsFirst) {}
    void apply(std::vector<DecoderToken>& tokens) const override;
    void applyInside(DecoderToken& token) const override;

private:
    std::string m_mark;
    bool m_dropsFirst;
};

/// Joins sub-words that carry a prefix, and puts spaces before the others.
class WordPieceDecoder : public Decoder {
public:
    WordPieceDecoder(std::string prefix, bool cleanup) : m_prefix(std::move(prefix)), m_cleanup(cleanup) {}
    void apply(std::vector<DecoderToken>& tokens) const override;
    void applyInside(DecoderToken& token) const override;

private:
    std::string m_prefix;
    bool m_cleanup;
};

class DecoderSequence : public Decoder {
public:
    explicit DecoderSequence(std::vector<std::unique_ptr<Decoder>> parts) : m_parts(std::move(parts)) {}
    void apply(std::vector<DecoderToken>& tokens) const override;
    void applyInside(DecoderToken& token) const override;

private:
    std::vector<std::unique_ptr<Decoder>> m_parts;
};

}  // namespace hs::text
