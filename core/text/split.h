#pragma once

#include "base/enum_words.h"
#include "text/byte_span.h"
#include "text/regex.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace hs::text {

/// What a Split or Replace looks for: a literal text or a regular expression.
class Pattern {
public:
    static Pattern literal(std::string text);
    static Pattern regex(Regex regex) { return Pattern(std::move(regex)); }

    /// All matches in well-formed text, left to right, none overlapping.
    std::vector<ByteSpan> findAll(std::string_view text) const;

private:
    explicit Pattern(std::variant<std::string, Regex> what) : m_what(std::move(what)) {}

    std::variant<std::string, Regex> m_what;
};

/// What becomes of the matches when a text is split at them.
enum class SplitBehavior { Removed, Isolated, MergedWithPrevious, MergedWithNext, Contiguous };

constexpr auto enumWords(SplitBehavior)
{
    return std::to_array<EnumWord<SplitBehavior>>({{SplitBehavior::Removed, "Removed"},
                                                   {SplitBehavior::Isolated, "Isolated"},
                                                   {SplitBehavior::MergedWithPrevious, "MergedWithPrevious"},
                                                   {SplitBehavior::MergedWithNext, "MergedWithNext"},
                                                   {SplitBehavior::Contiguous, "Contiguous"}});
}

/// Cuts a text of `size` bytes at its matches; `invert` swaps matches and what is between them.
/// The pieces are in order and none is empty.
std::vector<ByteSpan> splitAt(const std::vector<ByteSpan>& matches, std::uint32_t size,
                              SplitBehavior behavior, bool invert = false);

}  // namespace hs::text
