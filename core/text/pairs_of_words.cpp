#include "text/pair_maker.h"

#include "base/failure.h"
#include "text/pair_words.h"

#include <algorithm>

namespace hs::text {
namespace {

constexpr std::size_t kFewestOpposites = 5;  // words with theirs, of one sentence
constexpr std::size_t kFewestRepeated = 40;  // words
constexpr std::size_t kMostRepeated = 2000;
constexpr int kShortestSequence = 8;  // words of a repeated sequence
constexpr int kLongestSequence = 12;
constexpr int kLeastRepeated = 2;  // of them before the answer

class Opposites : public PairMaker {
public:
    Opposites(const Tokenizer& tokenizer, std::uint64_t seed)
        : PairMaker(tokenizer, PairTask::Opposites, seed)
    {
        std::size_t most = 0;
        for (const OppositeSentence& sentence : kOppositeSentences) {
            std::vector<Question> questions;
            for (std::size_t index = 0; index < kPairOpposites.size(); ++index)
                if (const auto answer = answerOf(sentence, index))
                    questions.push_back({index, *answer});
            most = std::max(most, questions.size());
            if (questions.size() >= kFewestOpposites)
                m_forms.push_back({sentence, std::move(questions)});
        }
        if (m_forms.empty())
            fail(ErrorCode::Unsupported,
                 "Of " + std::to_string(kPairOpposites.size()) + " words this tokenizer has " +
                     std::to_string(most) +
                     " that are single tokens like their opposites, and the task needs " +
                     std::to_string(kFewestOpposites) + kOwnPairsRemedy);
    }

private:
    struct Question {
        std::size_t word = 0;  // of kPairOpposites
        std::string answer;    // as singleToken finds it
    };
    struct Form {
        OppositeSentence sentence;
        std::vector<Question> questions;
    };

    /// With the pair of words that is the sentence's example, if it has one.
    static std::string beginningOf(const OppositeSentence& sentence, std::size_t example)
    {
        return filled(filled(sentence.beginning, "{X}", kPairOpposites[example]), "{Y}",
                      kPairOpposites[example ^ 1]);
    }

    /// None if the word or its opposite is no single token in its place.
    std::optional<std::string> answerOf(const OppositeSentence& sentence, std::size_t index) const
    {
        const std::string beginning = beginningOf(sentence, index ^ 2);
        const std::string word = kPairOpposites[index], other = kPairOpposites[index ^ 1];
        const std::string prompt = beginning + sentence.space + word + sentence.end;
        if (!misread(m_tokenizer, prompt).empty() ||
            !nextToken(m_tokenizer, beginning, sentence.space + word))
            return std::nullopt;
        const auto token = nextToken(m_tokenizer, prompt, sentence.space + other);
        return token ? writtenAs(m_tokenizer, *token, other) : std::nullopt;
    }

    PromptPair draw() override
    {
        const Form& form = one(m_forms);
        const Question& asked = one(form.questions);
        const auto isPair = [](std::size_t a, std::size_t b) { return a / 2 == b / 2; };
        const Question* other = &asked;
        while (isPair(other->word, asked.word))
            other = &one(form.questions);
        std::size_t example = asked.word;
        while (isPair(example, asked.word) || isPair(example, other->word))
            example = one(form.questions).word;
        const std::string beginning = beginningOf(form.sentence, example);
        const auto text = [&](const Question& question) {
            return beginning + form.sentence.space + kPairOpposites[question.word] + form.sentence.end;
        };
        return {text(asked), text(*other), asked.answer, other->answer, {asked.answer}};
    }

    std::vector<Form> m_forms;
};

/// Random words one after another, and again until one is missing.
class Induction : public PairMaker {
public:
    Induction(const Tokenizer& tokenizer, std::uint64_t seed)
        : PairMaker(tokenizer, PairTask::Induction, seed)
    {
        const std::int64_t size = tokenizer.vocabularySize();
        // From anywhere in the vocabulary, each token at most once: the first ones are the most common.
        const std::int64_t first = m_draws.below(std::max<std::int64_t>(1, size));
        const std::int64_t stride = size > kStride ? kStride : 1;
        for (std::int64_t step = 0; step < size && m_words.size() < kMostRepeated; ++step) {
            const std::int64_t id = (first + step * stride) % size;
            const std::string text = tokenizer.tokenText(id);
            if (isWord(text) && nextToken(tokenizer, "the", text) == id)
                if (const auto written = writtenAs(tokenizer, id, text.substr(1)))
                    m_words.push_back({text, *written, id});
        }
        if (m_words.size() < kFewestRepeated)
            fail(ErrorCode::Unsupported, "This tokenizer has " + std::to_string(m_words.size()) +
                                             " words as single tokens after a space, and the task needs " +
                                             std::to_string(kFewestRepeated) + kOwnPairsRemedy);
    }

private:
    static constexpr std::int64_t kStride = 10007;  // prime to the sizes of vocabularies

    struct Word {
        std::string text;     // " girl"
        std::string written;  // as singleToken finds it
        std::int64_t id = 0;
    };

    static bool isWord(const std::string& text)
    {
        return text.size() >= 4 && text[0] == ' ' &&
               std::all_of(text.begin() + 1, text.end(), [](char c) { return c >= 'a' && c <= 'z'; });
    }

    /// The text of these tokens; empty if there is none.
    std::string textOf(const std::vector<const Word*>& words) const
    {
        std::string text;
        std::vector<std::int64_t> ids;
        for (const Word* const word : words) {
            text += word->text;
            ids.push_back(word->id);
        }
        for (const std::string& form : {text.substr(1), text})
            if (bareIds(m_tokenizer, form) == ids)
                return form;
        return {};
    }

    PromptPair draw() override
    {
        for (;;) {
            const auto count = static_cast<std::size_t>(m_draws.between(kShortestSequence, kLongestSequence));
            std::vector<const Word*> words;
            while (words.size() < count + 1)  // the last one takes the answer's place
                if (const Word& word = one(m_words); std::ranges::find(words, &word) == words.end())
                    words.push_back(&word);
            const Word& other = *words.back();
            words.pop_back();
            const auto place = static_cast<std::size_t>(
                m_draws.between(kLeastRepeated, static_cast<std::int64_t>(count) - 1));
            const Word& answer = *words[place];
            words.insert(words.end(), words.begin(), words.begin() + static_cast<std::ptrdiff_t>(place));
            const std::string clean = textOf(words);
            words[place] = &other;
            const std::string corrupted = textOf(words);
            if (!clean.empty() && !corrupted.empty())
                return {clean, corrupted, answer.written, other.written, {answer.written}};
        }
    }

    std::vector<Word> m_words;
};

}  // namespace

std::unique_ptr<PairMaker> oppositePairs(const Tokenizer& tokenizer, std::uint64_t seed)
{
    return std::make_unique<Opposites>(tokenizer, seed);
}

std::unique_ptr<PairMaker> inductionPairs(const Tokenizer& tokenizer, std::uint64_t seed)
{
    return std::make_unique<Induction>(tokenizer, seed);
}

}  // namespace hs::text
