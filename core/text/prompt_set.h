#pragma once

#include "base/enum_words.h"
#include "text/prompt_pairs.h"
#include "text/prompt_template.h"
#include "text/set_records.h"

#include <memory>
#include <optional>
#include <string>
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
};

/// What each prompt of a set must have.
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

/// A set of prompts, read one at a time as often as wanted: a file or a folder (see openRecords) with fields
/// "text" (or "clean"), "target", "versus" and "source" (or "corrupted", "corrupt"), or "template" and "slots", an
/// object of their values. With a template of its own, the fields are the values. A faulty record is a prompt
/// with a problem. Others throw Failure.
class PromptSet {
public:
    PromptSet(std::string where, PromptNeeds needs, std::string pattern = {});
    /// The pairs of a built-in task.
    PromptSet(std::string name, std::vector<PromptPair> pairs);

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
    std::vector<PromptPair> m_pairs;
    std::unique_ptr<SetRecords> m_records;
    int m_next = 0;
};

}  // namespace hs::text
