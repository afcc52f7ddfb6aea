#include "text/prompt_template.h"

#include "base/failure.h"

namespace hs::text {

FilledTemplate fillTemplate(const std::string& pattern,
                            const std::function<std::optional<std::string>(const std::string&)>& valueOf)
{
    FilledTemplate filled;
    for (std::size_t at = 0; at < pattern.size(); ++at) {
        const char c = pattern[at];
        if (c != '{' && c != '}') {
            filled.text += c;
            continue;
        }
        if (at + 1 < pattern.size() && pattern[at + 1] == c) {
            filled.text += c;
            ++at;
            continue;
        }
        const std::size_t end = c == '{' ? pattern.find_first_of("{}", at + 1) : std::string::npos;
        if (end == std::string::npos || pattern[end] != '}' || end == at + 1)
            fail(ErrorCode::BadRequest, "The template \"" + pattern +
                                            "\" has a brace without a name and a partner; write slots as "
                                            "{name}, and {{ or }} for a brace itself.");
        const std::string name = pattern.substr(at + 1, end - at - 1);
        const std::optional<std::string> value = valueOf(name);
        if (!value || value->empty())
            fail(ErrorCode::BadRequest,
                 "There is no value for the template's {" + name + "}; give one under that name.");
        filled.slots.push_back({name, filled.text.size(), filled.text.size() + value->size()});
        filled.text += *value;
        at = end;
    }
    return filled;
}

Result<std::vector<TemplateCell>> templateCells(const Encoding& encoding, const std::vector<SlotSpan>& slots)
{
    return guarded([&] {
        std::vector<TemplateCell> cells;
        std::size_t next = 0;  // slot that has no token yet
        for (std::size_t token = 0; token < encoding.offsets.size(); ++token) {
            const auto& bytes = encoding.offsets[token];
            const auto isIn = [&](std::size_t slot) {
                return slot < slots.size() && bytes.first < slots[slot].end &&
                       bytes.second > slots[slot].begin;
            };
            const bool isMore = next > 0 && isIn(next - 1);
            if (isIn(next) && (isMore || isIn(next + 1)))
                fail(ErrorCode::BadRequest,
                     "One token is of two slots, {" + slots[isMore ? next - 1 : next].name + "} and {" +
                         slots[isMore ? next : next + 1].name + "}; put a space or a word between them.");
            if (isMore)
                ++cells.back().count;
            else if (isIn(next))
                cells.push_back({static_cast<int>(token), 1, "{" + slots[next++].name + "}"});
            else
                cells.push_back({static_cast<int>(token), 1, ""});
        }
        if (next < slots.size())
            fail(ErrorCode::BadRequest, "No token is of the slot {" + slots[next].name +
                                            "}; give it a value that the tokenizer keeps.");
        return cells;
    });
}

}  // namespace hs::text
