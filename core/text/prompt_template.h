#pragma once

#include "text/tokenizer.h"

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace hs::text {

/// Where the value of a template's slot stands in the text, in bytes.
struct SlotSpan {
    std::string name;
    std::uint64_t begin = 0;
    std::uint64_t end = 0;

    friend bool operator==(const SlotSpan&, const SlotSpan&) = default;
};

struct FilledTemplate {
    std::string text;
    std::vector<SlotSpan> slots;  // by place
};

/// Puts values in the place of the slots of "{name} gave a {thing}"; "{{" and "}}" are braces. Throws a Failure
/// where a slot has no value or a brace no partner.
FilledTemplate fillTemplate(const std::string& pattern,
                            const std::function<std::optional<std::string>(const std::string&)>& valueOf);

/// Tokens that stand in one place of a template: those of a slot, or one of the text around them.
struct TemplateCell {
    int first = 0;  // token
    int count = 1;
    std::string name;  // "{name}", empty for a token of the text

    friend bool operator==(const TemplateCell&, const TemplateCell&) = default;
};

/// The cells of an encoded text: a token that shares a byte with a slot belongs to it. Fails where one belongs
/// to two slots, or a slot has none.
Result<std::vector<TemplateCell>> templateCells(const Encoding& encoding, const std::vector<SlotSpan>& slots);

}  // namespace hs::text
