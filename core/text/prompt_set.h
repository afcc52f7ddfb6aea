#pragma once

#include "base/enum_words.h"
#include "base/failure.h"
#include "text/prompt_pairs.h"
#include "text/prompt_template.h"
#include "text/set_records.h"

#include <memory>
#include <optional>
#include <string>
#include <type_traits>
#include <vector>

namespace hs::text {

/// One prompt of a set, and what is asked about it.
struct SetPrompt {
    int index = 0;      // among the prompts of the set, from 0; faulty ones count
    std::string where;  // "Line 3 of prompts.jsonl"
    std::string text;   // of a pair the clean one
    std::string target;
    std::optional<std::string> versus;
    std::optional<std::string> source;  // another prompt of as many tokens; of a pair the corrupted one
    std::vector<SlotSpan> slots;        // where the text is a filled template
    std::string problem;                // why nothing can be done with it: a sentence that says where it is

    friend bool operator==(const SetPrompt&, const SetPrompt&) = default;
};

/// What each prompt of a set must have; what else it has is read as well.
enum class PromptNeeds {
    Text,
    Question,  // and a target
    Pair,      // and versus and source as well
};

/// A prompt that was left out of work over a set, and why.
struct LeftOutPrompt {
    int index = 0;
    std::string problem;

    friend bool operator==(const LeftOutPrompt&, const LeftOutPrompt&) = default;
};

/// Whether a failure is the prompt's own, so that the others can be done.
bool isOfPrompt(const Failure& failure);

/// What `make` makes of a prompt; none, and the prompt is added to those left out, if it has a problem or is found to
/// have one.
template <class Make>
auto doneOrLeftOut(const SetPrompt& prompt, std::vector<LeftOutPrompt>& leftOut, Make&& make)
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

/// A set of prompts, read one at a time as often as wanted: a file or a folder (see openRecords) with fields
/// "text" (or "clean"), "target", "versus" and "source" (or "corrupted", "corrupt"), or "template" and "slots", an
/// object of their values. With a template of its own, the fields are the values. A faulty record is a prompt
/// with a problem. Others throw Failure.
class PromptSet {
public:
    PromptSet(std::string where, PromptNeeds needs, std::string pattern = {});
    /// The pairs of a built-in task.
    PromptSet(std::string name, const std::vector<PromptPair>& pairs);
    /// Prompts that were read before, each with its index.
    PromptSet(std::string name, std::vector<SetPrompt> prompts);

    std::optional<SetPrompt> next();
    void restart();
    /// How many there are; starts anew. Fails where there are none.
    int count();
    const std::string& name() const { return m_name; }

private:
    SetPrompt promptOf(SetRecord record) const;

    std::string m_name;
    PromptNeeds m_needs = PromptNeeds::Text;
    std::string m_pattern;  // of all prompts; may be empty
    std::vector<SetPrompt> m_prompts;
    std::unique_ptr<SetRecords> m_records;  // null: `m_prompts` are all
    int m_next = 0;
};

}  // namespace hs::text
