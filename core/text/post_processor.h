#pragma once

#include "text/byte_span.h"
#include "text/vocabulary.h"

#include <memory>
#include <string_view>
#include <vector>

namespace hs::text {

/// A token of the whole prompt; `origin` is its bytes there, empty for an inserted token.
struct PromptToken {
    TokenId id = 0;
    ByteSpan origin;
    std::string_view text;  // as the vocabulary has it, or the matched text of an added token
};

/// Works on the tokens of a whole prompt; see tokenizer.json's "post_processor". Immutable.
class PostProcessor {
public:
    virtual ~PostProcessor() = default;
    virtual void apply(std::string_view prompt, bool addSpecial, std::vector<PromptToken>& tokens) const = 0;
};

/// Takes white space at a token's ends out of its range.
class TrimOffsets : public PostProcessor {
public:
    explicit TrimOffsets(bool keepFirstSpace) : m_keepFirstSpace(keepFirstSpace) {}
    void apply(std::string_view prompt, bool addSpecial, std::vector<PromptToken>& tokens) const override;

private:
    bool m_keepFirstSpace;
};

/// Puts special tokens around the prompt.
class TemplateProcessor : public PostProcessor {
public:
    TemplateProcessor(std::vector<TokenId> before, std::vector<TokenId> after)
        : m_before(std::move(before)), m_after(std::move(after))
    {
    }
    void apply(std::string_view prompt, bool addSpecial, std::vector<PromptToken>& tokens) const override;

private:
    std::vector<TokenId> m_before, m_after;
};

class PostProcessorSequence : public PostProcessor {
public:
    explicit PostProcessorSequence(std::vector<std::unique_ptr<PostProcessor>> parts)
        : m_parts(std::move(parts))
    {
    }
    void apply(std::string_view prompt, bool addSpecial, std::vector<PromptToken>& tokens) const override;

private:
    std::vector<std::unique_ptr<PostProcessor>> m_parts;
};

}  // namespace hs::text
