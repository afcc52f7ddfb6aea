#include "text/word_level.h"

#include "base/failure.h"
#include "base/text_format.h"

namespace hs::text {

namespace {

class WordLevelEncoder : public PieceEncoder {
public:
    WordLevelEncoder(const Vocabulary& vocabulary, const std::string& unknown)
        : m_vocabulary(vocabulary), m_unknown(unknown)
    {
    }

    void encode(std::string_view piece, std::vector<PieceToken>& out) override
    {
        std::optional<TokenId> id = m_vocabulary.idOf(piece);
        if (!id)
            id = m_vocabulary.idOf(m_unknown);
        if (!id)
            fail(ErrorCode::BadRequest, "The vocabulary has neither '" + shortened(piece) +
                                            "' nor a token for unknown words; change the prompt.");
        out.push_back({*id, {0, static_cast<std::uint32_t>(piece.size())}});
    }

private:
    const Vocabulary& m_vocabulary;
    const std::string& m_unknown;
};

}  // namespace

WordLevel::WordLevel(Vocabulary vocabulary, std::string unknown)
    : m_vocabulary(std::move(vocabulary)), m_unknown(std::move(unknown))
{
}

std::unique_ptr<PieceEncoder> WordLevel::encoder() const
{
    return std::make_unique<WordLevelEncoder>(m_vocabulary, m_unknown);
}

}  // namespace hs::text
