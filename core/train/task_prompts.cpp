#include "train/task_prompts.h"

#include "train/task_words.h"

#include <algorithm>
#include <array>
#include <bitset>

namespace hs::train {
namespace {

constexpr WordRange kNames = wordsOf(WordGroup::Names);
constexpr WordRange kPlaces = wordsOf(WordGroup::Places);
constexpr WordRange kThings = wordsOf(WordGroup::Things);
constexpr WordRange kManyThings = wordsOf(WordGroup::ManyThings);
constexpr WordRange kLandmarks = wordsOf(WordGroup::Landmarks);
constexpr WordRange kManyLandmarks = wordsOf(WordGroup::ManyLandmarks);
constexpr WordRange kOpposites = wordsOf(WordGroup::Opposites);
constexpr WordRange kEvents = wordsOf(WordGroup::Events);
constexpr WordRange kStates = wordsOf(WordGroup::States);

std::int64_t draw(WordRange words, Draws& draws)
{
    return words[draws.below(words.count)];
}

template <std::size_t N>
std::int64_t draw(const std::array<std::int64_t, N>& words, Draws& draws)
{
    return words[static_cast<std::size_t>(draws.below(N))];
}

/// Two different words.
std::array<std::int64_t, 2> drawTwo(WordRange words, Draws& draws)
{
    const std::int64_t first = draws.below(words.count);
    const std::int64_t second = draws.below(words.count - 1);
    return {words[first], words[second + (second >= first)]};
}

TaskPrompt emptyPrompt(Task task)
{
    TaskPrompt prompt;
    prompt.task = task;
    prompt.tokens.reserve(kMostOpposites * kOppositeWords + 1);
    prompt.tokens.push_back(kBos);
    return prompt;
}

/// Returns the word's position.
int append(TaskPrompt& prompt, std::int64_t word)
{
    prompt.tokens.push_back(word);
    return static_cast<int>(prompt.tokens.size()) - 1;
}

void append(TaskPrompt& prompt, const Phrase& words)
{
    prompt.tokens.insert(prompt.tokens.end(), words.ids.begin(), words.ids.begin() + words.count);
}

void appendAnswer(TaskPrompt& prompt, std::int64_t word, int source)
{
    prompt.answers.push_back({append(prompt, word), word, word, source});
}

/// When Mary and John went to the store , John gave a drink to [Mary] .
TaskPrompt indirectObject(Draws& draws)
{
    TaskPrompt prompt = emptyPrompt(Task::IndirectObject);
    const std::array<std::int64_t, 2> names = drawTwo(kNames, draws);
    const std::size_t giver = draws.coin();
    append(prompt, draws.coin() ? wordId("When") : wordId("After"));
    append(prompt, names[0]);
    append(prompt, wordId("and"));
    append(prompt, names[1]);
    append(prompt, phrase("went to the"));
    append(prompt, draw(kPlaces, draws));
    append(prompt, wordId(","));
    const int source = append(prompt, names[giver]);
    append(prompt, draws.coin() ? wordId("gave") : wordId("handed"));
    append(prompt, draws.coin() ? wordId("a") : wordId("the"));
    append(prompt, draw(kThings, draws));
    append(prompt, wordId("to"));
    appendAnswer(prompt, names[1 - giver], source);
    append(prompt, wordId("."));
    return prompt;
}

/// The war lasted from the year 17 32 to the year 17 [any later one] .
TaskPrompt greaterThan(Draws& draws)
{
    TaskPrompt prompt = emptyPrompt(Task::GreaterThan);
    const std::int64_t century = kYears[draws.between(11, 19) - kFirstYear];
    const std::int64_t start = kYears[draws.between(10, 89) - kFirstYear];
    append(prompt, wordId("The"));
    append(prompt, draw(kEvents, draws));
    append(prompt, phrase("lasted from the year"));
    append(prompt, century);
    const int source = append(prompt, start);
    append(prompt, phrase("to the year"));
    append(prompt, century);
    const int position = append(prompt, draws.between(start + 1, kYears.last()));
    prompt.answers.push_back({position, start + 1, kYears.last(), source});
    append(prompt, wordId("."));
    return prompt;
}

/// The opposite of " large " is " [small] " .     After up to two sentences of the kind.
TaskPrompt opposite(Draws& draws)
{
    TaskPrompt prompt = emptyPrompt(Task::Opposite);
    for (std::int64_t sentences = draws.between(1, kMostOpposites); sentences > 0; --sentences)
        appendOpposite(prompt, draws);
    cutPrompt(prompt, kLongestPrompt);  // what follows the third answer has no room
    return prompt;
}

/// 3 6 + 2 8 = [0] [6] [4] .
TaskPrompt addition(Draws& draws)
{
    TaskPrompt prompt = emptyPrompt(Task::Addition);
    const std::int64_t first = draws.between(10, 99);
    const std::int64_t second = draws.between(10, 99);
    const std::int64_t sum = first + second;
    const int tens = append(prompt, kDigits[first / 10]);
    const int units = append(prompt, kDigits[first % 10]);
    append(prompt, wordId("+"));
    append(prompt, kDigits[second / 10]);
    append(prompt, kDigits[second % 10]);
    append(prompt, wordId("="));
    appendAnswer(prompt, kDigits[sum / 100], tens);
    appendAnswer(prompt, kDigits[sum / 10 % 10], tens);
    appendAnswer(prompt, kDigits[sum % 10], units);
    append(prompt, wordId("."));
    return prompt;
}

TaskPrompt repeat(Draws& draws)
{
    const std::int64_t count = draws.between(4, 12);
    return drawRepeat(count, static_cast<int>(2 * count) + 1, draws);
}

/// near the [old] window(s)
template <std::size_t N>
void appendPlace(TaskPrompt& prompt, const std::array<std::int64_t, N>& prepositions, std::int64_t kind,
                 Draws& draws)
{
    static constexpr std::array kAdjectives = {wordId("old"),   wordId("small"), wordId("large"),
                                               wordId("dirty"), wordId("high"),  wordId("narrow")};
    append(prompt, draw(prepositions, draws));
    append(prompt, wordId("the"));
    if (draws.coin())
        append(prompt, draw(kAdjectives, draws));
    append(prompt, (draws.coin() ? kManyLandmarks : kLandmarks)[kind]);
}

/// Today the keys to the old cabinet near the window [are] lost .
/// The cue gives the tense. A preposition of belonging is always followed by one of place, and that
/// by the verb, so the verb's position is certain. Nouns between are singular or plural at random:
/// were they always of the other number, the last one would give the answer away.
TaskPrompt agreement(Draws& draws)
{
    static constexpr std::array kBelonging = {wordId("to"), wordId("from"), wordId("of")};
    static constexpr std::array kPlacing = {wordId("near"), wordId("behind"), wordId("beside"),
                                            wordId("under")};
    TaskPrompt prompt = emptyPrompt(Task::Agreement);
    const bool isPast = draws.coin();
    const bool isPlural = draws.coin();
    append(prompt, isPast ? wordId("Yesterday") : wordId("Today"));
    append(prompt, wordId("the"));
    const int source = append(prompt, draw(isPlural ? kManyThings : kThings, draws));
    const std::array<std::int64_t, 2> between = drawTwo({0, kLandmarks.count}, draws);
    if (draws.coin())
        appendPlace(prompt, kBelonging, between[0], draws);
    appendPlace(prompt, kPlacing, between[1], draws);
    if (isPast)
        appendAnswer(prompt, isPlural ? wordId("were") : wordId("was"), source);
    else
        appendAnswer(prompt, isPlural ? wordId("are") : wordId("is"), source);
    append(prompt, draw(kStates, draws));
    append(prompt, wordId("."));
    return prompt;
}

}  // namespace

std::string_view taskName(Task task)
{
    static constexpr std::array<std::string_view, kTaskCount> kTexts = {
        "indirect objects", "greater than", "opposites", "addition", "repeats", "agreement"};
    return kTexts[static_cast<std::size_t>(task)];
}

TaskPrompt drawPrompt(Task task, Draws& draws)
{
    switch (task) {
    case Task::IndirectObject: return indirectObject(draws);
    case Task::GreaterThan: return greaterThan(draws);
    case Task::Opposite: return opposite(draws);
    case Task::Addition: return addition(draws);
    case Task::Repeat: return repeat(draws);
    case Task::Agreement: return agreement(draws);
    }
    return {};
}

void appendOpposite(TaskPrompt& prompt, Draws& draws)
{
    // No pair occurs twice within the span of a prompt: its answer could be copied.
    const std::size_t reach = std::min<std::size_t>(prompt.tokens.size(), kMostOpposites * kOppositeWords);
    const auto recent = std::span(prompt.tokens).last(reach);
    std::int64_t index = 0;
    do
        index = draws.below(kOpposites.count);
    while (std::find(recent.begin(), recent.end(), kOpposites[index]) != recent.end());
    append(prompt, phrase("The opposite of \""));
    const int source = append(prompt, kOpposites[index]);
    append(prompt, phrase("\" is \""));
    appendAnswer(prompt, kOpposites[index ^ 1], source);
    append(prompt, phrase("\" ."));
}

TaskPrompt drawRepeat(std::int64_t count, int length, Draws& draws)
{
    TaskPrompt prompt = emptyPrompt(Task::Repeat);
    prompt.tokens.reserve(static_cast<std::size_t>(length));
    std::bitset<kContentWords.count> used;
    while (static_cast<std::int64_t>(prompt.tokens.size()) <= count) {
        const auto index = static_cast<std::size_t>(draws.below(kContentWords.count));
        if (!used[index])
            append(prompt, kContentWords[static_cast<std::int64_t>(index)]);
        used.set(index);
    }
    prompt.answers.reserve(static_cast<std::size_t>(length - count));
    append(prompt, prompt.tokens[1]);
    while (static_cast<int>(prompt.tokens.size()) < length) {
        const auto period = static_cast<std::size_t>(count);
        const std::size_t first = (prompt.tokens.size() - 1) % period + 1;
        appendAnswer(prompt, prompt.tokens[first], static_cast<int>(first));
    }
    return prompt;
}

void cutPrompt(TaskPrompt& prompt, int length)
{
    if (static_cast<int>(prompt.tokens.size()) <= length)
        return;
    prompt.tokens.resize(static_cast<std::size_t>(length));
    while (!prompt.answers.empty() && prompt.answers.back().position >= length)
        prompt.answers.pop_back();
}

}  // namespace hs::train
