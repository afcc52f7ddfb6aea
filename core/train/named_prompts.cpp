#include "train/named_prompts.h"

#include "base/content_hash.h"
#include "base/failure.h"
#include "base/mapped_file.h"
#include "train/model_pairs.h"

#include <charconv>
#include <filesystem>
#include <span>
#include <sstream>

namespace hs::train {
namespace {

constexpr int kMostOfTask = 100000;

/// "task:induction:100:7".
struct NamedTask {
    text::PairTask task = text::PairTask::Induction;
    int count = 20;
    std::uint64_t seed = 1;
};

std::optional<NamedTask> namedTask(const std::string& where)
{
    if (!namesTask(where))
        return {};
    NamedTask named;
    std::istringstream words(where.substr(kTaskWord.size()));
    std::string name, count, seed;
    std::getline(words, name, ':');
    std::getline(words, count, ':');
    std::getline(words, seed);
    const auto isNumber = [](const std::string& word, auto& number) {
        const auto end = std::from_chars(word.data(), word.data() + word.size(), number);
        return word.empty() || (end.ec == std::errc() && end.ptr == word.data() + word.size());
    };
    named.task = chosenBy<text::PairTask>(name, "task");
    if (!isNumber(count, named.count) || named.count < 1 || named.count > kMostOfTask ||
        !isNumber(seed, named.seed))
        fail(ErrorCode::BadRequest, "\"" + where +
                                        "\" names no set; write task:induction:100:7 for a hundred "
                                        "prompts of that task, made with seed 7.");
    return named;
}

}  // namespace

text::PromptSet openPrompts(const std::string& where, text::PromptNeeds needs,
                            const text::Tokenizer* tokenizer, const std::string& pattern)
{
    const std::optional<NamedTask> task = namedTask(where);
    if (!task)
        return {where, needs, pattern};
    if (!tokenizer)
        fail(ErrorCode::NotFound,
             "The prompts of a task are made in a model's own tokens, and this model's folder "
             "has no tokenizer; put its tokenizer.json there, or give a file of prompts.");
    return {where, orThrow(modelPairs(*tokenizer, task->task, task->count, task->seed))};
}

int countPrompts(const std::string& where, text::PromptNeeds needs, const std::string& pattern)
{
    const std::optional<NamedTask> task = namedTask(where);
    return task ? task->count : text::PromptSet(where, needs, pattern).count();
}

std::string contentHashOf(const std::string& where)
{
    ContentHash hash;
    if (namesTask(where)) {
        hash.add(std::as_bytes(std::span(where)));
    } else if (std::filesystem::is_directory(where)) {
        const auto records = text::openRecords(where);
        while (const auto record = records->next()) {
            const std::string content = record->fields.dump(-1, ' ', false, Json::error_handler_t::replace);
            hash.add(std::as_bytes(std::span(content)));
        }
    } else {
        hash.add(MappedFile::open(where).bytes());
    }
    return hash.text();
}

}  // namespace hs::train
