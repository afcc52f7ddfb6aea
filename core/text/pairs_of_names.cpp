#include "text/pair_maker.h"

#include "base/failure.h"
#include "text/pair_words.h"

namespace hs::text {
namespace {

constexpr std::size_t kFewestNames = 4;

struct Name {
    std::string word;
    std::string token;  // as the answer
};

std::string textOf(const std::string& sentence, const Name& first, const Name& second, const Name& again)
{
    return filled(filled(filled(sentence, "{A}", first.word), "{B}", second.word), "{S}", again.word);
}

/// Those that are single tokens.
std::vector<Name> namesOf(const Tokenizer& tokenizer)
{
    std::vector<Name> names;
    for (const char* const name : kPairNames) {
        const auto token = nextToken(tokenizer, "When", std::string(" ") + name);
        const auto text = token ? writtenAs(tokenizer, *token, name) : std::nullopt;
        if (text)
            names.push_back({name, *text});
    }
    if (names.size() < kFewestNames)
        fail(ErrorCode::Unsupported, "Of " + std::to_string(kPairNames.size()) +
                                         " names this tokenizer has " + std::to_string(names.size()) +
                                         " as single tokens after a space, and the task needs " +
                                         std::to_string(kFewestNames) + kOwnPairsRemedy);
    return names;
}

/// Those that the tokenizer can write, with places for the names.
std::vector<std::string> sentencesFor(const Tokenizer& tokenizer, const std::vector<Name>& names)
{
    std::vector<std::string> sentences;
    for (const char* const form : kPairSentences)
        for (const char* const place : kPairPlaces)
            for (const char* const thing : kPairThings) {
                const std::string sentence = filled(filled(form, "{place}", place), "{thing}", thing);
                if (misread(tokenizer, textOf(sentence, names[0], names[1], names[0])).empty())
                    sentences.push_back(sentence);
            }
    if (sentences.empty())
        refuseText(tokenizer,
                   filled(filled(kPairSentences[0], "{place}", kPairPlaces[0]), "{thing}", kPairThings[0]));
    return sentences;
}

}  // namespace

DrawPair indirectObjectPairs(const Tokenizer& tokenizer)
{
    const std::vector<Name> names = namesOf(tokenizer);
    return [names, sentences = sentencesFor(tokenizer, names)](Draws& draws) -> PromptPair {
        const auto count = static_cast<std::int64_t>(names.size());
        const std::int64_t place = draws.below(count);
        const Name& first = names[static_cast<std::size_t>(place)];
        const Name& second = names[static_cast<std::size_t>((place + draws.between(1, count - 1)) % count)];
        const std::string& sentence = oneOf(sentences, draws);
        const bool isFirst = draws.coin();  // who is named again
        const Name& subject = isFirst ? first : second;
        const Name& object = isFirst ? second : first;
        return {textOf(sentence, first, second, subject),
                textOf(sentence, first, second, object),
                object.token,
                subject.token,
                {object.token}};
    };
}

}  // namespace hs::text
