#include "train/model_pairs.h"

#include "base/failure.h"
#include "train/task_suite.h"

namespace hs::train {
namespace {

Task builtInTask(text::PairTask task)
{
    switch (task) {
    case text::PairTask::IndirectObjects: return Task::IndirectObject;
    case text::PairTask::GreaterThan: return Task::GreaterThan;
    case text::PairTask::Opposites: return Task::Opposite;
    case text::PairTask::Induction: return Task::Repeat;
    }
    fail(ErrorCode::Internal, "There is no such task; choose one that --help names.");
}

text::PromptPair builtInPair(const TaskSuite& suite, Task task, std::uint64_t number)
{
    const TaskPair pair = suite.pair(task, number);
    const auto word = [&](std::int64_t id) { return suite.text(std::vector{id}); };
    text::PromptPair words{pair.cleanText, pair.corruptedText, word(pair.target), word(pair.versus), {}};
    for (std::int64_t id = pair.answer.first; id <= pair.answer.last; ++id)
        words.answers.push_back(word(id));
    return words;
}

}  // namespace

bool knowsTaskWords(const text::Tokenizer& tokenizer)
{
    static constexpr std::uint64_t kPromptsEach = 16;
    const TaskSuite suite;
    for (int task = 0; task < kTaskCount; ++task)
        for (std::uint64_t number = 0; number < kPromptsEach; ++number) {
            const TaskPrompt prompt = suite.prompt(static_cast<Task>(task), Split::HeldOut, number);
            const Result<text::Encoding> encoding = tokenizer.encode(suite.text(prompt.tokens));
            if (!encoding || encoding->ids != prompt.tokens)
                return false;
        }
    return true;
}

Result<std::vector<text::PromptPair>> modelPairs(const text::Tokenizer& tokenizer, text::PairTask task,
                                                 int count, std::uint64_t seed)
{
    if (!knowsTaskWords(tokenizer))
        return text::makePairs(tokenizer, task, count, seed);
    return guarded([&] {
        const TaskSuite suite;
        std::vector<text::PromptPair> pairs;
        for (int number = 0; number < count; ++number)
            pairs.push_back(builtInPair(suite, builtInTask(task),
                                        ((seed - 1) << 32) + static_cast<std::uint64_t>(number)));
        return pairs;
    });
}

}  // namespace hs::train
