#include "text/token_runs.h"

#include <algorithm>
#include <unordered_map>

namespace hs::text {
namespace {

constexpr std::int64_t kMostComparisons = 1 << 26;  // in parts that would take more, no run is searched

struct Parts {
    TokenRange first;
    TokenRange second;
    bool isRun = false;  // of equal tokens
};

class RunFinder {
public:
    RunFinder(std::span<const Token> first, std::span<const Token> second) : m_first(first), m_second(second)
    {
        for (int position = 0; position < static_cast<int>(second.size()); ++position)
            m_places[wordOf(at(second, position))].push_back(position);
    }

    void cut(const Parts& parts, std::vector<TokenRun>& runs) const
    {
        std::vector<Parts> left = {parts};  // the next one last
        while (!left.empty()) {
            const Parts now = left.back();
            left.pop_back();
            if (now.first.size() == 0 && now.second.size() == 0)
                continue;
            const Parts run = now.isRun ? now : longestRun(now);
            const int length = run.first.size();
            if (now.isRun || length == 0 ||
                (now.first.size() == now.second.size() && equalInPlace(now) >= length)) {
                runs.push_back({now.first, now.second});
                continue;
            }
            left.push_back({{run.first.end, now.first.end}, {run.second.end, now.second.end}});
            left.push_back(run);
            left.push_back({{now.first.begin, run.first.begin}, {now.second.begin, run.second.begin}});
        }
    }

private:
    static const Token& at(std::span<const Token> tokens, int position)
    {
        return tokens[static_cast<std::size_t>(position)];
    }

    int equalInPlace(const Parts& parts) const
    {
        int count = 0;
        for (int offset = 0; offset < parts.first.size(); ++offset)
            count += wordOf(at(m_first, parts.first.begin + offset)) ==
                     wordOf(at(m_second, parts.second.begin + offset));
        return count;
    }

    /// The first of the longest; empty if there is none.
    Parts longestRun(const Parts& parts) const
    {
        Parts longest{{parts.first.begin, parts.first.begin}, {parts.second.begin, parts.second.begin}};
        if (std::int64_t{parts.first.size()} * parts.second.size() > kMostComparisons)
            return longest;
        std::unordered_map<int, int> lengths;  // of the runs that end here, by where they end there
        for (int here = parts.first.begin; here < parts.first.end; ++here) {
            std::unordered_map<int, int> longer;
            if (const auto places = m_places.find(wordOf(at(m_first, here))); places != m_places.end())
                for (const int there : places->second) {
                    if (there < parts.second.begin || there >= parts.second.end)
                        continue;
                    const auto before = lengths.find(there - 1);
                    const int length = before == lengths.end() ? 1 : before->second + 1;
                    longer[there] = length;
                    if (length > longest.first.size())
                        longest = {{here + 1 - length, here + 1}, {there + 1 - length, there + 1}, true};
                }
            lengths = std::move(longer);
        }
        return longest;
    }

    std::span<const Token> m_first;
    std::span<const Token> m_second;
    std::unordered_map<std::string_view, std::vector<int>> m_places;  // of a word in `second`, in order
};

}  // namespace

std::string_view wordOf(const Token& token)
{
    const std::string_view text = token.text;
    const std::size_t start = text.find_first_not_of(' ');
    return start == std::string_view::npos ? text : text.substr(start);
}

std::vector<TokenRun> commonRuns(std::span<const Token> first, std::span<const Token> second)
{
    const auto texts = [](const Token& one, const Token& other) { return wordOf(one) == wordOf(other); };
    const int count = static_cast<int>(std::min(first.size(), second.size()));
    const auto front = static_cast<int>(
        std::mismatch(first.begin(), first.begin() + count, second.begin(), texts).first - first.begin());
    const auto back = static_cast<int>(
        std::mismatch(first.rbegin(), first.rbegin() + (count - front), second.rbegin(), texts).first -
        first.rbegin());
    std::vector<TokenRun> runs;
    if (front > 0)
        runs.push_back({{0, front}, {0, front}});
    const int firstEnd = static_cast<int>(first.size()) - back,
              secondEnd = static_cast<int>(second.size()) - back;
    RunFinder(first, second).cut({{front, firstEnd}, {front, secondEnd}}, runs);
    if (back > 0)
        runs.push_back({{firstEnd, firstEnd + back}, {secondEnd, secondEnd + back}});
    return runs;
}

std::vector<Token> fromItsBeginning(std::span<const Token> tokens, TokenRange part)
{
    std::vector<Token> moved(tokens.begin() + part.begin, tokens.begin() + part.end);
    const auto start = moved.empty() ? decltype(moved.front().begin)() : moved.front().begin;
    for (Token& token : moved) {
        token.begin -= start;
        token.end -= start;
    }
    return moved;
}

}  // namespace hs::text
