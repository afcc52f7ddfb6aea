#include "train/task_suite.h"

#include "train/task_words.h"

namespace hs::train {
namespace {

constexpr std::uint64_t kHeldOutShare = 16;  // one text in this many
constexpr std::uint64_t kLongStream = 2;     // separate from those of the two splits

bool isChosen(std::span<const std::int64_t> beginning)
{
    std::uint64_t hash = beginning.size();
    for (const std::int64_t word : beginning)
        hash = stirred(hash * 31 + static_cast<std::uint64_t>(word));
    return hash % kHeldOutShare == 0;
}

/// Whether the two or three sentences that end before this answer are a held-out prompt.
bool endsInHeldOutOpposites(std::span<const std::int64_t> beginning)
{
    constexpr std::size_t kBeforeAnswer = 8;  // The opposite of " large " is "
    for (std::size_t earlier = 1; earlier < kMostOpposites; ++earlier) {
        const std::size_t words = earlier * kOppositeWords + kBeforeAnswer;
        if (beginning.size() >= words && isChosen(beginning.last(words)))
            return true;
    }
    return false;
}

bool isOf(Split split, const TaskPrompt& prompt)
{
    const bool isAlone = prompt.task == Task::Opposite && prompt.answers.size() == 1;
    if (split == Split::HeldOut)
        return !isAlone && isChosen(prompt.beginning(prompt.answers.back()));
    if (prompt.task != Task::Opposite)
        return !isChosen(prompt.beginning(prompt.answers.back()));
    for (const TaskAnswer& answer : prompt.answers)
        if (endsInHeldOutOpposites(prompt.beginning(answer)))
            return false;
    return true;
}

TaskPrompt drawOf(Split split, Task task, Draws& draws)
{
    while (true) {
        TaskPrompt prompt = drawPrompt(task, draws);
        if (isOf(split, prompt))
            return prompt;
    }
}

void appendPrompt(TaskPrompt& text, const TaskPrompt& next)
{
    const int shift = static_cast<int>(text.tokens.size()) - 1;
    text.tokens.insert(text.tokens.end(), next.tokens.begin() + 1, next.tokens.end());
    for (TaskAnswer answer : next.answers) {
        answer.position += shift;
        answer.source += shift;
        text.answers.push_back(answer);
    }
}

void appendTrainingOpposite(TaskPrompt& text, Draws& draws)
{
    const int length = static_cast<int>(text.tokens.size());
    do {
        cutPrompt(text, length);
        appendOpposite(text, draws);
    } while (endsInHeldOutOpposites(text.beginning(text.answers.back())));
}

TaskPrompt drawLongRepeat(int length, Draws& draws)
{
    constexpr std::int64_t kFewest = 13;  // more than any prompt has, so it contains none
    const std::int64_t most = std::min<std::int64_t>((length - 1) / 2, kContentWords.count / 2);
    return drawRepeat(draws.between(kFewest, most), length, draws);
}

}  // namespace

TaskPrompt TaskSuite::prompt(Task task, Split split, std::uint64_t number) const
{
    Draws draws({static_cast<std::uint64_t>(split), static_cast<std::uint64_t>(task), number});
    return drawOf(split, task, draws);
}

TaskPrompt TaskSuite::longPrompt(Task task, int length, std::uint64_t number) const
{
    Draws draws({kLongStream, static_cast<std::uint64_t>(task), number});
    if (task == Task::Repeat)
        return drawLongRepeat(length, draws);
    TaskPrompt text;
    text.task = task;
    text.tokens.reserve(static_cast<std::size_t>(length) + kLongestPrompt);
    text.tokens.push_back(kBos);
    while (static_cast<int>(text.tokens.size()) < length) {
        if (task == Task::Opposite)
            appendTrainingOpposite(text, draws);
        else
            appendPrompt(text, drawOf(Split::Training, task, draws));
    }
    cutPrompt(text, length);
    return text;
}

std::vector<std::string> TaskSuite::words() const
{
    return {kTaskWords.begin(), kTaskWords.end()};
}

std::string TaskSuite::text(std::span<const std::int64_t> tokens) const
{
    std::string text;
    for (const std::int64_t token : tokens) {
        if (token == kBos)
            continue;
        if (!text.empty())
            text += ' ';
        const bool isKnown = token > 0 && token < kTaskWordCount;
        text += kTaskWords[static_cast<std::size_t>(isKnown ? token : kUnknown)];
    }
    return text;
}

}  // namespace hs::train
