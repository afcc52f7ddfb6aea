#include "text/pair_maker.h"

#include "base/failure.h"
#include "text/pair_words.h"

namespace hs::text {
namespace {

constexpr std::size_t kFewestNames = 4;

class IndirectObjects : public PairMaker {
public:
    IndirectObjects(const Tokenizer& tokenizer, std::uint64_t seed)
        : PairMaker(tokenizer, PairTask::IndirectObjects, seed)
    {
        for (const char* const name : kPairNames) {
            const auto token = nextToken(tokenizer, "When", std::string(" ") + name);
            const auto text = token ? writtenAs(tokenizer, *token, name) : std::nullopt;
            if (text)
                m_names.push_back({name, *text});
        }
        if (m_names.size() < kFewestNames)
            fail(ErrorCode::Unsupported, "Of " + std::to_string(kPairNames.size()) +
                                             " names this tokenizer has " + std::to_string(m_names.size()) +
                                             " as single tokens after a space, and the task needs " +
                                             std::to_string(kFewestNames) + kOwnPairsRemedy);
        for (const char* const form : kPairSentences)
            for (const char* const place : kPairPlaces)
                for (const char* const thing : kPairThings) {
                    const std::string sentence = filled(filled(form, "{place}", place), "{thing}", thing);
                    if (misread(tokenizer, textOf(sentence, m_names[0], m_names[1], m_names[0])).empty())
                        m_sentences.push_back(sentence);
                }
        if (m_sentences.empty())
            refuse(filled(filled(kPairSentences[0], "{place}", kPairPlaces[0]), "{thing}", kPairThings[0]));
    }

private:
    struct Name {
        std::string word;
        std::string token;  // as the answer
    };

    static std::string textOf(const std::string& sentence, const Name& first, const Name& second,
                              const Name& again)
    {
        return filled(filled(filled(sentence, "{A}", first.word), "{B}", second.word), "{S}", again.word);
    }

    PromptPair draw() override
    {
        const auto count = static_cast<std::int64_t>(m_names.size());
        const std::int64_t place = m_draws.below(count);
        const Name& first = m_names[static_cast<std::size_t>(place)];
        const Name& second =
            m_names[static_cast<std::size_t>((place + m_draws.between(1, count - 1)) % count)];
        const std::string& sentence = one(m_sentences);
        const bool isFirst = m_draws.coin();  // who is named again
        const Name& subject = isFirst ? first : second;
        const Name& object = isFirst ? second : first;
        return {textOf(sentence, first, second, subject),
                textOf(sentence, first, second, object),
                object.token,
                subject.token,
                {object.token}};
    }

    std::vector<Name> m_names;
    std::vector<std::string> m_sentences;  // with places for the names
};

}  // namespace

std::unique_ptr<PairMaker> indirectObjectPairs(const Tokenizer& tokenizer, std::uint64_t seed)
{
    return std::make_unique<IndirectObjects>(tokenizer, seed);
}

}  // namespace hs::text
