#include "text/sentence_merges.h"

#include "text/utf8.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>
#include <tuple>

namespace hs::text {
namespace {

constexpr std::string_view kMark = "▁";

/// Bounds the splits that are tried: real tokens have a few dozen bytes.
constexpr std::size_t kLongestMerged = 128;

bool isRunOfMarks(std::string_view token)
{
    while (token.starts_with(kMark))
        token.remove_prefix(kMark.size());
    return token.empty();
}

struct RankedMerge {
    std::pair<bool, double> rank;  // runs of spaces last, then the highest score
    std::uint32_t left, right;
    std::size_t leftSize, rightSize;
};

}  // namespace

Bpe::Merges mergesByScore(std::span<const std::string_view> tokens, std::span<const float> scores)
{
    const bool hasScores = std::ranges::any_of(
        scores, [&](float score) { return std::isfinite(score) && score != scores.front(); });
    Vocabulary ids;
    ids.reserve(tokens.size());
    for (std::uint32_t id = 0; id < tokens.size(); ++id)
        if (!tokens[id].empty() && !ids.idOf(tokens[id]))
            ids.add(tokens[id], id);

    std::vector<RankedMerge> found;
    for (std::uint32_t id = 0; id < tokens.size(); ++id) {
        const std::string_view token = tokens[id];
        if (token.size() > kLongestMerged)
            continue;
        const double score = hasScores ? static_cast<double>(scores[id]) : -static_cast<double>(id);
        const std::pair<bool, double> rank = {!hasScores && isRunOfMarks(token),
                                              std::isfinite(score) ? -score : HUGE_VAL};
        const std::size_t first = found.size();
        std::size_t cut = token.empty() ? 0 : utf8Length(token.front());
        while (cut < token.size()) {
            const std::optional<TokenId> left = ids.idOf(token.substr(0, cut));
            const std::optional<TokenId> right = left ? ids.idOf(token.substr(cut)) : std::nullopt;
            if (right)
                found.push_back({rank, *left, *right, cut, token.size() - cut});
            cut += utf8Length(token[cut]);
        }
        std::sort(found.begin() + static_cast<std::ptrdiff_t>(first), found.end(),
                  [](const RankedMerge& a, const RankedMerge& b) {
                      return std::tie(a.left, a.right) < std::tie(b.left, b.right);
                  });
    }
    std::ranges::stable_sort(found, [](const RankedMerge& a, const RankedMerge& b) {
        return std::tie(a.rank, b.leftSize, b.rightSize) < std::tie(b.rank, a.leftSize, a.rightSize);
    });
    Bpe::Merges merges;
    merges.reserve(found.size());
    for (const RankedMerge& merge : found)
        merges.emplace_back(tokens[merge.left], tokens[merge.right]);
    return merges;
}

}  // namespace hs::text
