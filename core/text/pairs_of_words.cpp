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

struct Question {
    std::size_t word = 0;  // of kPairOpposites
    std::string answer;    // as singleToken finds it
};

struct Form {
    OppositeSentence sentence;
    std::vector<Question> questions;
};

/// With the pair of words that is the sentence's example, if it has one.
std::string beginningOf(const OppositeSentence& sentence, std::size_t example)
{
    return filled(filled(sentence.beginning, "{X}", kPairOpposites[example]), "{Y}",
                  kPairOpposites[example ^ 1]);
}

/// None if the word or its opposite is no single token in its place.
std::optional<std::string> answerOf(const Tokenizer& tokenizer, const OppositeSentence& sentence,
                                    std::size_t index)
{
    const std::string beginning = beginningOf(sentence, index ^ 2);
    const std::string word = kPairOpposites[index], other = kPairOpposites[index ^ 1];
    const std::string prompt = beginning + sentence.space + word + sentence.end;
    if (!misread(tokenizer, prompt).empty() || !nextToken(tokenizer, beginning, sentence.space + word))
        return std::nullopt;
    const auto token = nextToken(tokenizer, prompt, sentence.space + other);
    return token ? writtenAs(tokenizer, *token, other) : std::nullopt;
}

PromptPair drawOpposites(const std::vector<Form>& forms, Draws& draws)
{
    const Form& form = oneOf(forms, draws);
    const Question& asked = oneOf(form.questions, draws);
    const auto isPair = [](std::size_t a, std::size_t b) { return a / 2 == b / 2; };
    const Question* other = &asked;
    while (isPair(other->word, asked.word))
        other = &oneOf(form.questions, draws);
    std::size_t example = asked.word;
    while (isPair(example, asked.word) || isPair(example, other->word))
        example = oneOf(form.questions, draws).word;
    const std::string beginning = beginningOf(form.sentence, example);
    const auto text = [&](const Question& question) {
        return beginning + form.sentence.space + kPairOpposites[question.word] + form.sentence.end;
    };
    return {text(asked), text(*other), asked.answer, other->answer, {asked.answer}};
}

constexpr std::int64_t kStride = 10007;  // prime to the sizes of vocabularies

struct Word {
    std::string text;     // " girl"
    std::string written;  // as singleToken finds it
    std::int64_t id = 0;
};

bool isWord(const std::string& text)
{
    return text.size() >= 4 && text[0] == ' ' &&
           std::all_of(text.begin() + 1, text.end(), [](char c) { return c >= 'a' && c <= 'z'; });
}

/// The text of these tokens; empty if there is none.
std::string textOf(const Tokenizer& tokenizer, const std::vector<const Word*>& words)
{
    std::string text;
    std::vector<std::int64_t> ids;
    for (const Word* const word : words) {
        text += word->text;
        ids.push_back(word->id);
    }
    for (const std::string& form : {text.substr(1), text})
        if (bareIds(tokenizer, form) == ids)
            return form;
    return {};
}

/// Random words one after another, and again until one is missing.
PromptPair drawRepetition(const Tokenizer& tokenizer, const std::vector<Word>& all, Draws& draws)
{
    for (;;) {
        const auto count = static_cast<std::size_t>(draws.between(kShortestSequence, kLongestSequence));
        std::vector<const Word*> words;
        while (words.size() < count + 1)  // the last one takes the answer's place
            if (const Word& word = oneOf(all, draws); std::ranges::find(words, &word) == words.end())
                words.push_back(&word);
        const Word& other = *words.back();
        words.pop_back();
        const auto place =
            static_cast<std::size_t>(draws.between(kLeastRepeated, static_cast<std::int64_t>(count) - 1));
        const Word& answer = *words[place];
        words.insert(words.end(), words.begin(), words.begin() + static_cast<std::ptrdiff_t>(place));
        const std::string clean = textOf(tokenizer, words);
        words[place] = &other;
        const std::string corrupted = textOf(tokenizer, words);
        if (!clean.empty() && !corrupted.empty())
            return {clean, corrupted, answer.written, other.written, {answer.written}};
    }
}

}  // namespace

DrawPair oppositePairs(const Tokenizer& tokenizer)
{
    std::size_t most = 0;
    std::vector<Form> forms;
    for (const OppositeSentence& sentence : kOppositeSentences) {
        std::vector<Question> questions;
        for (std::size_t index = 0; index < kPairOpposites.size(); ++index)
            if (const auto answer = answerOf(tokenizer, sentence, index))
                questions.push_back({index, *answer});
        most = std::max(most, questions.size());
        if (questions.size() >= kFewestOpposites)
            forms.push_back({sentence, std::move(questions)});
    }
    if (forms.empty())
        fail(ErrorCode::Unsupported, "Of " + std::to_string(kPairOpposites.size()) +
                                         " words this tokenizer has " + std::to_string(most) +
                                         " that are single tokens like their opposites, and the task needs " +
                                         std::to_string(kFewestOpposites) + kOwnPairsRemedy);
    return [forms](Draws& draws) { return drawOpposites(forms, draws); };
}

DrawPair inductionPairs(const Tokenizer& tokenizer, Draws& draws)
{
    const std::int64_t size = tokenizer.vocabularySize();
    // From anywhere in the vocabulary, each token at most once: the first ones are the most common.
    const std::int64_t first = draws.below(std::max<std::int64_t>(1, size));
    const std::int64_t stride = size > kStride ? kStride : 1;
    std::vector<Word> words;
    for (std::int64_t step = 0; step < size && words.size() < kMostRepeated; ++step) {
        const std::int64_t id = (first + step * stride) % size;
        const std::string text = tokenizer.tokenText(id);
        if (isWord(text) && nextToken(tokenizer, "the", text) == id)
            if (const auto written = writtenAs(tokenizer, id, text.substr(1)))
                words.push_back({text, *written, id});
    }
    if (words.size() < kFewestRepeated)
        fail(ErrorCode::Unsupported, "This tokenizer has " + std::to_string(words.size()) +
                                         " words as single tokens after a space, and the task needs " +
                                         std::to_string(kFewestRepeated) + kOwnPairsRemedy);
    return [&tokenizer, words](Draws& drawn) { return drawRepetition(tokenizer, words, drawn); };
}

}  // namespace hs::text
