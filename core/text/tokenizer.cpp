#include "text/tokenizer.h"

#include "base/failure.h"
#include "base/text_format.h"
#include "text/time_limit.h"
#include "text/tokenizer_parts.h"
#include "text/tokenizer_table.h"

#include <algorithm>

namespace hs::text {

namespace {

/// One text on its way through the parts.
class EncodeRun {
public:
    EncodeRun(const TokenizerParts& parts, std::string_view prompt)
        : m_parts(parts), m_prompt(prompt), m_encode(parts.model->encoder())
    {
    }

    std::vector<PromptToken> tokens(bool addSpecial)
    {
        const AlignedText raw = AlignedText::fromBytes(m_prompt);
        for (const AddedTokens::Section& section : m_parts.addedTokens->splitRaw(raw.text())) {
            if (section.id)
                addAdded(*section.id, raw.origin(section.bounds));
            else
                addStretch(raw.slice(section.bounds));
        }
        if (m_parts.postProcessor)
            m_parts.postProcessor(m_prompt, addSpecial, m_tokens);
        return std::move(m_tokens);
    }

private:
    void addAdded(TokenId id, ByteSpan origin) { m_tokens.push_back({id, origin, origin.of(m_prompt)}); }

    /// Text between the added tokens that are looked for before normalizing.
    void addStretch(AlignedText text)
    {
        if (m_parts.normalizer)
            m_parts.normalizer(text);
        for (const AddedTokens::Section& section : m_parts.addedTokens->splitNormalized(text.text())) {
            if (section.id)
                addAdded(*section.id, text.origin(section.bounds));
            else
                addPieces({text.slice(section.bounds), {{0, section.bounds.size()}}});
        }
    }

    void addPieces(Pieces pieces)
    {
        if (m_parts.preTokenizer)
            m_parts.preTokenizer(pieces);
        for (const ByteSpan& piece : pieces.bounds) {
            m_pieceTokens.clear();
            m_encode(piece.of(pieces.text.text()), m_pieceTokens);
            for (const auto& [id, bounds] : m_pieceTokens) {
                const ByteSpan range{piece.begin + bounds.begin,
                                     std::min(piece.begin + bounds.end, piece.end)};
                m_tokens.push_back({id, pieces.text.origin(range), m_parts.textOf(id)});
            }
        }
    }

    const TokenizerParts& m_parts;
    std::string_view m_prompt;
    EncodePiece m_encode;
    std::vector<PieceToken> m_pieceTokens;
    std::vector<PromptToken> m_tokens;
};

}  // namespace

std::string_view TokenizerParts::textOf(TokenId id) const
{
    const std::optional<std::string_view> added = addedTokens->textOf(id);
    return added ? *added : model->vocabulary().textOf(id);
}

std::optional<TokenId> TokenizerParts::idOf(std::string_view text) const
{
    const std::optional<TokenId> added = addedTokens->vocabulary().idOf(text);
    return added ? added : model->vocabulary().idOf(text);
}

Result<std::shared_ptr<const Tokenizer>> Tokenizer::load(const std::filesystem::path& folderOrFile)
{
    return guarded([&]() -> std::shared_ptr<const Tokenizer> {
        return std::make_shared<const Tokenizer>(loadTokenizerParts(folderOrFile));
    });
}

Result<std::shared_ptr<const Tokenizer>> Tokenizer::make(const DescribedTokenizer& described)
{
    return guarded([&]() -> std::shared_ptr<const Tokenizer> {
        TokenizerParts parts = partsOf(described);
        if (const auto bos = described.bos; bos && parts.textOf(static_cast<TokenId>(*bos)).data())
            parts.bosId = static_cast<TokenId>(*bos);
        parts.chatTemplate = described.chatTemplate;
        return std::make_shared<const Tokenizer>(std::move(parts));
    });
}

Tokenizer::Tokenizer(TokenizerParts parts) : m_parts(std::make_unique<const TokenizerParts>(std::move(parts)))
{
}

Tokenizer::~Tokenizer() = default;

Result<Encoding> Tokenizer::encode(std::string_view text, bool addSpecial) const
{
    return guarded([&] {
        const TimeLimit limit(TimeLimit::generousFor(text.size()));
        const std::vector<PromptToken> tokens = EncodeRun(*m_parts, text).tokens(addSpecial);
        Encoding encoding;
        encoding.ids.reserve(tokens.size());
        encoding.offsets.reserve(tokens.size());
        for (const PromptToken& token : tokens) {
            encoding.ids.push_back(token.id);
            encoding.offsets.emplace_back(token.origin.begin, token.origin.end);
        }
        return encoding;
    });
}

Result<std::vector<Token>> Tokenizer::tokens(std::string_view text, bool addSpecial) const
{
    return guarded([&] {
        const TimeLimit limit(TimeLimit::generousFor(text.size()));
        std::vector<Token> tokens;
        for (const PromptToken& token : EncodeRun(*m_parts, text).tokens(addSpecial))
            tokens.push_back({token.id, tokenText(token.id), token.origin.begin, token.origin.end});
        return tokens;
    });
}

Result<std::string> Tokenizer::decode(std::span<const std::int64_t> ids, bool skipSpecial) const
{
    return guarded([&] {
        const TimeLimit limit(TimeLimit::generousFor(ids.size()));
        std::vector<DecoderToken> tokens;
        for (const std::int64_t id : ids) {
            if (id < 0 || id >= vocabularySize())
                fail(ErrorCode::BadRequest, "Token " + std::to_string(id) + " is outside the vocabulary of " +
                                                formatCount(vocabularySize()) + " tokens; use smaller ids.");
            const auto known = static_cast<TokenId>(id);
            const std::string_view text = m_parts->textOf(known);
            if (!text.data() || (skipSpecial && m_parts->addedTokens->isSpecial(known)))
                continue;
            tokens.push_back({std::string(text), m_parts->addedTokens->isVerbatim(known)});
        }
        if (m_parts->decoder)
            m_parts->decoder->apply(tokens);
        std::string text;
        for (std::size_t i = 0; i < tokens.size(); ++i)
            text += (i > 0 && !m_parts->decoder ? " " : "") + tokens[i].text;
        return text;
    });
}

std::string Tokenizer::tokenText(std::int64_t id) const
{
    if (id < 0 || id >= vocabularySize())
        return {};
    const auto known = static_cast<TokenId>(id);
    DecoderToken token{std::string(m_parts->textOf(known)), m_parts->addedTokens->isVerbatim(known)};
    if (!m_parts->decoder || token.isVerbatim)
        return token.text;
    const Result<std::string> decoded = guarded([&] {
        const TimeLimit limit(TimeLimit::generousFor(token.text.size()));
        DecoderToken inside = token;
        m_parts->decoder->applyInside(inside);
        return inside.text;
    });
    return decoded ? *decoded : token.text;  // a decoder that refuses it changes nothing
}

std::int64_t Tokenizer::vocabularySize() const
{
    return static_cast<std::int64_t>(
        std::max(m_parts->model->vocabulary().idEnd(), m_parts->addedTokens->vocabulary().idEnd()));
}

std::optional<std::int64_t> Tokenizer::bosId() const
{
    return m_parts->bosId ? std::optional<std::int64_t>(*m_parts->bosId) : std::nullopt;
}

const std::string& Tokenizer::chatTemplate() const
{
    return m_parts->chatTemplate;
}

std::optional<std::int64_t> Tokenizer::idOf(std::string_view token) const
{
    const std::optional<TokenId> id = m_parts->idOf(token);
    return id ? std::optional<std::int64_t>(*id) : std::nullopt;
}

}  // namespace hs::text
