#include "app/support/prompt_file.h"

#include "app/support/messages.h"
#include "base/failure.h"
#include "base/text_format.h"

#include <algorithm>
#include <charconv>
#include <cstdlib>

namespace hs::app {
namespace {

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
