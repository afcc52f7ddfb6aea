#include "train/task_suite.h"
#include "train/task_words.h"

#include <algorithm>
#include <array>
#include <optional>

namespace hs::train {
namespace {

constexpr std::uint64_t kPairStream = 3;  // separate from those of prompts

/// What the deciding word becomes, and the answers before and after.
struct Exchange {
    std::int64_t word = 0;
    std::int64_t target = 0;
    std::int64_t versus = 0;
};

std::int64_t sourceWord(const TaskPrompt& prompt, const TaskAnswer& answer)
{
    return prompt.tokens[static_cast<std::size_t>(answer.source)];
}

bool holds(const TaskPrompt& prompt, std::int64_t word)
{
    return std::find(prompt.tokens.begin(), prompt.tokens.end(), word) != prompt.tokens.end();
}

/// None if the start is too early for an earlier one with years in between.
std::optional<Exchange> earlierStart(const TaskPrompt& prompt, const TaskAnswer& answer, Draws& draws)
{
    constexpr std::int64_t kApart = 20;
    const std::int64_t start = sourceWord(prompt, answer);
    if (start - kApart < kYears.first)
        return std::nullopt;
    Exchange exchange;
    exchange.word = draws.between(kYears.first, start - kApart);
    exchange.target = draws.between(start + 1, kYears.last());
    exchange.versus = draws.between(exchange.word + 1, start);
    return exchange;
}

std::optional<Exchange> otherOpposite(const TaskPrompt& prompt, const TaskAnswer& answer, Draws& draws)
{
    constexpr WordRange kOpposites = wordsOf(WordGroup::Opposites);
    const std::int64_t index = draws.below(kOpposites.count);
    if (holds(prompt, kOpposites[index]))
        return std::nullopt;
    return Exchange{kOpposites[index], answer.first, kOpposites[index ^ 1]};
}

/// The digits of the sum of the two numbers at the start of the prompt.
std::array<std::int64_t, 3> sumDigits(std::span<const std::int64_t> tokens)
{
    const auto digit = [&](std::size_t at) { return tokens[at] - kDigits.first; };
    const std::int64_t sum = 10 * (digit(1) + digit(4)) + digit(2) + digit(5);  // <bos> 3 6 + 2 8 =
    return {kDigits[sum / 100], kDigits[sum / 10 % 10], kDigits[sum % 10]};
}

/// None if the other digit changes an earlier answer, which is part of the prompt, or leaves this one.
std::optional<Exchange> otherDigit(const TaskPrompt& prompt, const TaskAnswer& answer, Draws& draws)
{
    const bool isTens = answer.source == prompt.answers.front().source;
    TaskPrompt changed = prompt;
    std::int64_t& word = changed.tokens[static_cast<std::size_t>(answer.source)];
    word = kDigits[draws.between(isTens ? 1 : 0, 9)];
    const auto before = sumDigits(prompt.tokens);
    const auto after = sumDigits(changed.tokens);
    const auto place = answer.position - prompt.answers.front().position;
    const bool isAlikeBefore = std::equal(before.begin(), before.begin() + place, after.begin());
    const auto index = static_cast<std::size_t>(place);
    if (!isAlikeBefore || before[index] == after[index])
        return std::nullopt;
    return Exchange{word, before[index], after[index]};
}

std::optional<Exchange> otherWord(const TaskPrompt& prompt, const TaskAnswer& answer, Draws& draws)
{
    const std::int64_t word = kContentWords[draws.below(kContentWords.count)];
    if (holds(prompt, word))
        return std::nullopt;
    return Exchange{word, answer.first, word};
}

/// The subject, and so the verb, in the other number.
std::optional<Exchange> otherNumber(const TaskPrompt& prompt, const TaskAnswer& answer)
{
    constexpr WordRange kThings = wordsOf(WordGroup::Things);
    constexpr WordRange kManyThings = wordsOf(WordGroup::ManyThings);
    constexpr std::array kVerbs = {wordId("is"), wordId("are"), wordId("was"), wordId("were")};
    const std::int64_t subject = sourceWord(prompt, answer);
    const std::int64_t other =
        kThings.has(subject) ? kManyThings[subject - kThings.first] : kThings[subject - kManyThings.first];
    const auto verb =
        static_cast<std::size_t>(std::find(kVerbs.begin(), kVerbs.end(), answer.first) - kVerbs.begin());
    return Exchange{other, answer.first, kVerbs[verb ^ 1]};
}

std::optional<Exchange> drawExchange(const TaskPrompt& prompt, const TaskAnswer& answer, Draws& draws)
{
    switch (prompt.task) {
    case Task::IndirectObject: return Exchange{answer.first, answer.first, sourceWord(prompt, answer)};
    case Task::GreaterThan: return earlierStart(prompt, answer, draws);
    case Task::Opposite: return otherOpposite(prompt, answer, draws);
    case Task::Addition: return otherDigit(prompt, answer, draws);
    case Task::Repeat: return otherWord(prompt, answer, draws);
    case Task::Agreement: return otherNumber(prompt, answer);
    }
    return std::nullopt;
}

/// For opposites the last answer, because the text is held out as a whole; for other tasks any.
const TaskAnswer& drawAnswer(const TaskPrompt& prompt, Draws& draws)
{
    if (prompt.task == Task::Opposite)
        return prompt.answers.back();
    return prompt
        .answers[static_cast<std::size_t>(draws.below(static_cast<std::int64_t>(prompt.answers.size())))];
}

}  // namespace

TaskPair TaskSuite::pair(Task task, std::uint64_t number) const
{
    Draws draws({kPairStream, static_cast<std::uint64_t>(task), number});
    while (true) {
        const TaskPrompt whole = prompt(task, Split::HeldOut, draws.next());
        const TaskAnswer& answer = drawAnswer(whole, draws);
        const std::optional<Exchange> exchange = drawExchange(whole, answer, draws);
        if (!exchange)
            continue;
        TaskPair pair;
        pair.task = task;
        pair.clean.assign(whole.tokens.begin(), whole.tokens.begin() + answer.position);
        pair.corrupted = pair.clean;
        pair.corrupted[static_cast<std::size_t>(answer.source)] = exchange->word;
        pair.target = exchange->target;
        pair.versus = exchange->versus;
        pair.answer = answer;
        pair.cleanText = text(pair.clean);
        pair.corruptedText = text(pair.corrupted);
        return pair;
    }
}

}  // namespace hs::train
