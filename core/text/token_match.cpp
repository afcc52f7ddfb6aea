#include "text/token_match.h"

#include "text/token_runs.h"

#include <algorithm>

namespace hs::text {
namespace {

bool coversText(const Token& token)
{
    return token.begin < token.end;
}

/// Whether both stand for the same bytes at the same place, whatever their ids.
bool isSame(const Token& one, const Token& other)
{
    return one.begin == other.begin && one.end == other.end && one.text == other.text;
}

/// Positions of the tokens that cover characters, in order.
std::vector<int> covering(std::span<const Token> tokens)
{
    std::vector<int> positions;
    for (std::size_t position = 0; position < tokens.size(); ++position)
        if (coversText(tokens[position]))
            positions.push_back(static_cast<int>(position));
    return positions;
}

/// The tokens at `places` that share a byte with the token; the next one, or the last, if none does.
std::optional<TokenSpan> overlapping(const Token& token, std::span<const Token> tokens,
                                     const std::vector<int>& places)
{
    if (places.empty())
        return std::nullopt;
    const auto at = [&](int place) -> const Token& { return tokens[static_cast<std::size_t>(place)]; };
    const auto first = std::partition_point(places.begin(), places.end(),
                                            [&](int place) { return at(place).end <= token.begin; });
    const auto after =
        std::partition_point(first, places.end(), [&](int place) { return at(place).begin < token.end; });
    if (first == places.end())
        return places.back();
    return first == after ? TokenSpan(*first) : TokenSpan(*first, *(after - 1));
}

}  // namespace

TokenMatch::TokenMatch(std::span<const Token> from, std::span<const Token> to)
{
    const auto front = [](std::span<const Token> tokens) {
        return std::find_if(tokens.begin(), tokens.end(), coversText) - tokens.begin();
    };
    const auto frontHere = front(from);
    const auto frontThere = front(to);
    const std::vector<int> places = covering(to);
    int next = 0;  // in `to`: two tokens do not match the same one as equals
    for (int position = 0; position < std::ssize(from); ++position) {
        const Token& token = from[static_cast<std::size_t>(position)];
        if (position < frontHere) {
            m_spans.push_back(position < frontThere ? std::optional<TokenSpan>(position) : std::nullopt);
            continue;
        }
        std::optional<TokenSpan> span = coversText(token) ? overlapping(token, to, places) : std::nullopt;
        // Several tokens may share one character; the equal one is meant.
        const TokenSpan searched = span.value_or(TokenSpan(next, static_cast<int>(to.size()) - 1));
        for (int there = std::max(searched.first, next); there <= searched.last; ++there)
            if (isSame(token, to[static_cast<std::size_t>(there)])) {
                span = there;
                next = there + 1;
                break;
            }
        m_spans.push_back(span);
    }
}

TokenMatch TokenMatch::ofTexts(std::span<const Token> from, std::span<const Token> to)
{
    TokenMatch match;
    match.m_spans.resize(from.size());
    match.m_changed.assign(from.size(), true);
    const auto pair = [&](int here, int there) {
        const auto at = static_cast<std::size_t>(here);
        match.m_spans[at] = there;
        match.m_changed[at] = wordOf(from[at]) != wordOf(to[static_cast<std::size_t>(there)]);
    };
    for (const TokenRun& run : commonRuns(from, to)) {
        if (run.first.size() == run.second.size()) {
            for (int at = 0; at < run.first.size(); ++at)
                pair(run.first.begin + at, run.second.begin + at);
            continue;
        }
        const TokenMatch within(fromItsBeginning(from, run.first), fromItsBeginning(to, run.second));
        for (int at = 0; at < run.first.size(); ++at)
            if (const auto span = within.of(at))
                match.m_spans[static_cast<std::size_t>(run.first.begin + at)] =
                    TokenSpan(run.second.begin + span->first, run.second.begin + span->last);
    }
    return match;
}

bool TokenMatch::isChanged(int position) const
{
    const auto index = static_cast<std::size_t>(position);
    return position >= 0 && index < m_changed.size() && m_changed[index];
}

std::vector<PositionPair> pairsOf(std::span<const Token> first, std::span<const Token> second)
{
    const TokenMatch match = TokenMatch::ofTexts(first, second), back = TokenMatch::ofTexts(second, first);
    std::vector<PositionPair> pairs;
    for (int position = 0; position < std::ssize(first); ++position)
        if (const auto there = match.of(position);
            there && there->first == there->last && back.of(there->first) == TokenSpan(position))
            pairs.push_back({position, there->first});
    return pairs;
}

std::optional<TokenSpan> TokenMatch::of(int position) const
{
    const auto index = static_cast<std::size_t>(position);
    return position >= 0 && index < m_spans.size() ? m_spans[index] : std::nullopt;
}

}  // namespace hs::text
