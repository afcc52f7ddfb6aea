#include "text/bpe.h"

#include "base/failure.h"
#include "base/text_format.h"
#include "text/bpe_encoder.h"
#include "text/utf8.h"

#include <cstdio>

namespace hs::text {

Bpe::Bpe(Vocabulary vocabulary, const Merges& merges, BpeOptions options)
    : m_vocabulary(std::move(vocabulary)), m_options(std::move(options)), m_merges(merges.size()),
      m_joints(merges.size()), m_characters(m_vocabulary.size())
{
    const std::size_t prefix = m_options.continuingSubwordPrefix.size();
    std::string both;
    for (std::size_t rank = 0; rank < merges.size(); ++rank) {
        const auto& [left, right] = merges[rank];
        if (left.empty() || right.size() < std::max<std::size_t>(prefix, 1))
            fail(ErrorCode::BadFile, "Merge " + std::to_string(rank) +
                                         " of the tokenizer is not a pair of tokens; fetch its files again.");
        const TokenId leftId = idOrFail(left), rightId = idOrFail(right);
        both.assign(left).append(right.substr(prefix));
        m_merges.add(leftId, rightId, {static_cast<std::uint32_t>(rank), idOrFail(both)});
        noteJoint(left, right);
    }
    noteCharacters();
    m_unknownId = m_vocabulary.idOf(m_options.unkToken);
    for (unsigned byte = 0; byte < 256; ++byte) {
        char name[8];
        std::snprintf(name, sizeof name, "<0x%02X>", byte);
        m_byteIds[byte] = m_vocabulary.idOf(name);
    }
}

TokenId Bpe::idOrFail(std::string_view token) const
{
    const std::optional<TokenId> id = m_vocabulary.idOf(token);
    if (!id)
        fail(ErrorCode::BadFile, "A merge of the tokenizer names '" + shortened(token) +
                                     "', which is not in its vocabulary; fetch its files again.");
    return *id;
}

void Bpe::noteJoint(std::string_view left, std::string_view right)
{
    std::size_t start = 0;
    m_joints.add(codePointBefore(left, left.size()), nextCodePoint(right, start), {});
}

void Bpe::noteCharacters()
{
    for (TokenId id = 0; id < m_vocabulary.idEnd(); ++id) {
        const std::string_view text = m_vocabulary.textOf(id);
        if (!text.empty() && text.size() == utf8Length(text.front())) {
            std::size_t start = 0;
            m_characters.add(nextCodePoint(text, start), 0, {});
        }
    }
}

bool Bpe::mayJoin(char32_t left, char32_t right) const
{
    // Nothing is known about characters that are not tokens, since they turn into others first, nor where
    // affixes depend on the place in the piece.
    const bool plain = m_options.continuingSubwordPrefix.empty() && m_options.endOfWordSuffix.empty();
    return !plain || m_joints.find(left, right) || !m_characters.find(left, 0) ||
           !m_characters.find(right, 0);
}

EncodePiece Bpe::encoder() const
{
    return BpeEncoder(*this);
}

}  // namespace hs::text
