#include "app/support/prompt_file.h"

#include "app/support/messages.h"
#include "base/content_hash.h"
#include "base/failure.h"
#include "base/mapped_file.h"
#include "base/text_format.h"
#include "train/model_pairs.h"

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <filesystem>
#include <span>
#include <sstream>

namespace hs::app {
namespace {

constexpr std::string_view kTask = "task:";
constexpr int kMostOfTask = 100000;

/// "task:induction:100:7".
struct NamedTask {
    text::PairTask task = text::PairTask::Induction;
    int count = 20;
    std::uint64_t seed = 1;
};

std::optional<NamedTask> namedTask(const std::string& where)
{
    if (!where.starts_with(kTask))
        return {};
    NamedTask named;
    std::istringstream words(where.substr(kTask.size()));
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

/// "2/8" for the process whose rank, counted from 0, is 1 of 8.
std::string shardOfProcess()
{
    static constexpr const char* kVariables[][2] = {{"RANK", "WORLD_SIZE"}, {"SLURM_PROCID", "SLURM_NTASKS"}};
    for (const auto& [rank, count] : kVariables)
        if (std::getenv(rank) && std::getenv(count))
            return std::to_string(std::atol(std::getenv(rank)) + 1) + "/" + std::getenv(count);
    fail(ErrorCode::BadRequest, "This process has no rank to take a shard by: neither RANK and WORLD_SIZE "
                                "(torchrun) nor SLURM_PROCID and SLURM_NTASKS (srun) are set; write 1/4 for "
                                "the first of four.");
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
    return {where, orThrow(train::modelPairs(*tokenizer, task->task, task->count, task->seed))};
}

int countPrompts(const std::string& where, text::PromptNeeds needs, const std::string& pattern)
{
    const std::optional<NamedTask> task = namedTask(where);
    return task ? task->count : text::PromptSet(where, needs, pattern).count();
}

std::string contentHashOf(const std::string& where)
{
    ContentHash hash;
    if (where.starts_with(kTask)) {
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

void reportLeftOut(const std::vector<text::LeftOutPrompt>& leftOut, int promptCount)
{
    static constexpr std::size_t kMostSaid = 20;
    if (leftOut.empty())
        return;
    for (std::size_t prompt = 0; prompt < std::min(kMostSaid, leftOut.size()); ++prompt)
        say(leftOut[prompt].problem);
    throw LeftOut({ErrorCode::BadFile,
                   formatCount(std::ssize(leftOut)) + " of " + formatCount(promptCount) +
                       (leftOut.size() > kMostSaid ? " prompts were left out, these and others"
                                                   : " prompts were left out") +
                       "; the rest is done. Correct those lines and run it again for all.",
                   {}});
}

bool isOfPrompt(const Failure& failure)
{
    const ErrorCode code = failure.error().code;
    return code == ErrorCode::BadRequest || code == ErrorCode::BadFile || code == ErrorCode::TooLarge ||
           code == ErrorCode::Unsupported;
}

Shard parseShard(const std::string& text)
{
    if (text == "auto")
        return parseShard(shardOfProcess());
    Shard shard;
    int number = 0;
    const char* const end = text.data() + text.size();
    const auto first = std::from_chars(text.data(), end, number);
    if (first.ec == std::errc() && first.ptr != end && *first.ptr == '/') {
        const auto second = std::from_chars(first.ptr + 1, end, shard.count);
        shard.index = number - 1;
        if (second.ec == std::errc() && second.ptr == end && number >= 1 && number <= shard.count)
            return shard;
    }
    fail(ErrorCode::BadRequest, "\"" + text + "\" is no shard; write 1/4 for the first of four.");
}

}  // namespace hs::app
