#include "fuzz/memory_file.h"
#include "fuzz/target.h"

#include "base/failure.h"
#include "text/prompt_set.h"

namespace hs::fuzz {
namespace {

void checkRecords(text::SetRecords& records)
{
    while (const std::optional<text::SetRecord> record = records.next()) {
        require(!record->where.empty(), "a record says where it is");
        require(record->problem.empty() || record->problem.starts_with(record->where),
                "what is wrong with a record is said with where it is");
    }
}

void check(std::string_view input)
{
    static const MemoryFile file;
    const std::string path = file.with(input).string();
    const auto table = guarded([&] { return text::openTable(path); });
    if (table)
        checkRecords(**table);
    else
        requireRefusal(table.error());
    for (const auto needs : {text::PromptNeeds::Text, text::PromptNeeds::Pair}) {
        text::PromptSet set(path, needs);
        const auto count = guarded([&] { return set.count(); });
        if (!count)
            return requireRefusal(count.error());
        int read = 0;
        while (const std::optional<text::SetPrompt> prompt = set.next()) {
            require(prompt->index == read++, "prompts are numbered in turn");
            require(!prompt->problem.empty() || !prompt->text.empty(), "a prompt has a text or a problem");
            for (const text::SlotSpan& slot : prompt->slots)
                require(slot.begin < slot.end && slot.end <= prompt->text.size(), "a slot lies in the text");
        }
        require(read == *count, "a set has as many prompts each time");
    }
}

const Target kTarget("prompt_set", check);

}  // namespace
}  // namespace hs::fuzz
