#include "text/split.h"

#include <algorithm>

namespace hs::text {

namespace {

struct Segment {
    ByteSpan bounds;
    bool isMatch = false;
};

std::vector<Segment> segments(const std::vector<ByteSpan>& matches, std::uint32_t size, bool invert)
{
    std::vector<Segment> all;
    all.reserve(2 * matches.size() + 1);
    std::uint32_t end = 0;
    for (const ByteSpan& match : matches) {
        if (end != match.begin)
            all.push_back({{end, match.begin}, invert});
        all.push_back({match, !invert});
        end = match.end;
    }
    if (end != size)
        all.push_back({{end, size}, invert});
    return all;
}

/// Appends each segment, or lengthens the piece before it where `joins` says so.
template <class Joins>
std::vector<ByteSpan> join(const std::vector<Segment>& all, Joins&& joins)
{
    std::vector<ByteSpan> pieces;
    pieces.reserve(all.size());
    bool previousIsMatch = false;
    for (const auto& [bounds, isMatch] : all) {
        if (!pieces.empty() && joins(isMatch, previousIsMatch))
            pieces.back() = {std::min(pieces.back().begin, bounds.begin),
                             std::max(pieces.back().end, bounds.end)};
        else
            pieces.push_back(bounds);
        previousIsMatch = isMatch;
    }
    return pieces;
}

std::vector<ByteSpan> pieces(std::vector<Segment> all, SplitBehavior behavior)
{
    switch (behavior) {
    case SplitBehavior::Removed:
        std::erase_if(all, [](const Segment& s) { return s.isMatch; });
        [[fallthrough]];
    case SplitBehavior::Isolated: return join(all, [](bool, bool) { return false; });
    case SplitBehavior::MergedWithPrevious:
        return join(all, [](bool match, bool previous) { return match && !previous; });
    case SplitBehavior::MergedWithNext: {
        std::reverse(all.begin(), all.end());
        std::vector<ByteSpan> backwards = join(all, [](bool match, bool next) { return match && !next; });
        std::reverse(backwards.begin(), backwards.end());
        return backwards;
    }
    case SplitBehavior::Contiguous:
        return join(all, [](bool match, bool previous) { return match == previous; });
    }
    return {};
}

}  // namespace

Pattern Pattern::literal(std::string text)
{
    // Only a regular expression finds the empty text, between all characters.
    if (text.empty())
        return regex(Regex(""));
    return Pattern(std::move(text));
}

std::vector<ByteSpan> Pattern::findAll(std::string_view text) const
{
    if (const auto* regex = std::get_if<Regex>(&m_what))
        return regex->findAll(text);
    const std::string& literal = std::get<std::string>(m_what);
    std::vector<ByteSpan> matches;
    for (std::size_t at = text.find(literal); at != std::string_view::npos;
         at = text.find(literal, at + literal.size()))
        matches.push_back({static_cast<std::uint32_t>(at), static_cast<std::uint32_t>(at + literal.size())});
    return matches;
}

std::vector<ByteSpan> splitAt(const std::vector<ByteSpan>& matches, std::uint32_t size,
                              SplitBehavior behavior, bool invert)
{
    std::vector<ByteSpan> all = pieces(segments(matches, size, invert), behavior);
    std::erase_if(all, [](const ByteSpan& piece) { return piece.empty(); });
    return all;
}

}  // namespace hs::text
