#pragma once

#include "base/failure.h"
#include "text/prompt_set.h"

#include <optional>
#include <string>
#include <type_traits>
#include <vector>

namespace hs::app {

/// Opens a set of prompts: a file, a folder, or "task:NAME[:COUNT[:SEED]]", the pairs of a built-in task in the tokens of
/// this tokenizer. `pattern`: a template that the prompts have the values of; may be empty. Throws Failure.
text::PromptSet openPrompts(const std::string& where, text::PromptNeeds needs,
                            const text::Tokenizer* tokenizer, const std::string& pattern = {});
/// How many prompts such a set has. Throws Failure.
int countPrompts(const std::string& where, text::PromptNeeds needs, const std::string& pattern = {});
/// Tells the content of a set from any other.
std::string contentHashOf(const std::string& where);

/// Thrown in the end by work over a set that could not do all of it; what it could do is written.
class LeftOut : public Failure {
public:
    using Failure::Failure;
};

/// Says which prompts were left out and throws LeftOut, if there are any.
void reportLeftOut(const std::vector<text::LeftOutPrompt>& leftOut, int promptCount);

/// Whether a failure is the prompt's own, so that the others can be done.
bool isOfPrompt(const Failure& failure);

/// What `make` makes of a prompt; none, and the prompt is added to those left out, if it has a problem or is found to
/// have one.
template <class Make>
auto doneOrLeftOut(const text::SetPrompt& prompt, std::vector<text::LeftOutPrompt>& leftOut, Make&& make)
    -> std::optional<std::invoke_result_t<Make>>
{
    std::string problem = prompt.problem;
    if (problem.empty())
        try {
            return make();
        } catch (const Failure& failure) {
            if (!isOfPrompt(failure))
                throw;
            problem = prompt.where + ": " + failure.error().message;
        }
    leftOut.push_back({prompt.index, std::move(problem)});
    return {};
}

/// One machine's share of some work: every `count`-th item from `index` on.
struct Shard {
    int index = 0;  // from 0
    int count = 1;

    bool has(int item) const { return item % count == index; }
};

/// Reads "2/8": the second of eight; "auto" is by the rank that torchrun or srun gave this process. Throws
/// Failure.
Shard parseShard(const std::string& text);

}  // namespace hs::app
