#include "stats/head_kind.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace hs::stats {
namespace {

// More than half of the weight: then it is what the head does on most rows.
constexpr double kSinkShare = 0.5;
// The published previous-token heads have 0.4 and more on running text, where broad heads have below 0.3.
constexpr double kPreviousShare = 0.4;
// The mean over all pairs of equal tokens, most of which no head follows: less than the others ask for.
constexpr double kInductionShare = 0.3;
// Of the weight after earlier copies, what other rows do not give to the same keys: a head that always looks
// at one word also looks at it where induction would.
constexpr double kInductionOwn = 0.5;
// "Just before" ends here, in tokens, however long the prompt.
constexpr double kFarthestLocal = 8;
// Of the distance of a head that weighs all tokens equally: on short prompts everything is near.
constexpr double kLocalShare = 0.5;
// Of the entropy of such a head.
constexpr double kBroadEntropy = 0.6;

/// Rows and columns of a tile.
std::size_t sideOf(const KindRules& rules)
{
    return static_cast<std::size_t>(std::min(rules.tileSide, rules.pattern.queries));
}

/// The tile's row or column of a token.
std::size_t cellOf(int token, const KindRules& rules)
{
    return static_cast<std::size_t>(
        tileCellOf(token, rules.pattern.queries, static_cast<int>(sideOf(rules))));
}

/// How many columns of a row can hold weights.
std::size_t columnsOf(std::size_t row, const KindRules& rules)
{
    return rules.pattern.isCausal ? row + 1 : sideOf(rules);
}

/// How much more weight lies after earlier copies of a token than in the rest of the same columns, as a
/// share of it.
double ownInduction(const KindRules& rules, const std::uint8_t* tile)
{
    const std::size_t side = sideOf(rules);
    std::vector<std::uint32_t> columns(side, 0);  // sums
    for (std::size_t row = 0; row < side; ++row)
        for (std::size_t column = 0; column < columnsOf(row, rules); ++column)
            columns[column] += tile[row * side + column];
    double after = 0;
    double elsewhere = 0;
    for (int query = 0; query < rules.pattern.queries; ++query)
        for (const int earlier : rules.repeats.earlier(query)) {
            const std::size_t column = cellOf(earlier + 1, rules);
            const std::size_t others = (rules.pattern.isCausal ? side - column : side) - 1;
            if (others == 0)
                continue;
            const double cell = tile[cellOf(query, rules) * side + column];
            after += cell;
            elsewhere += (columns[column] - cell) / static_cast<double>(others);
        }
    return after > 0 ? 1 - elsewhere / after : 0;
}

/// The mean distance in tokens of what does not go to the first one.
double distanceOfRest(const KindRules& rules, const std::uint8_t* tile)
{
    const std::size_t side = sideOf(rules);
    std::uint64_t mass = 0;
    std::uint64_t distance = 0;
    for (std::size_t row = rules.pattern.isCausal ? 1 : 0; row < side; ++row) {
        // Sums of one row fit into 32 bits, of which vector instructions add many at once.
        std::uint32_t inRow = 0;
        std::uint32_t far = 0;
        const auto own = static_cast<std::uint32_t>(row);
        const auto columns = static_cast<std::uint32_t>(columnsOf(row, rules));
        for (std::uint32_t column = 1; column < columns; ++column) {
            const std::uint32_t cell = tile[row * side + column];
            inRow += cell;
            far += cell * (own > column ? own - column : column - own);
        }
        mass += inRow;
        distance += far;
    }
    return mass > 0 ? static_cast<double>(distance) / static_cast<double>(mass) * rules.pattern.queries /
                          static_cast<double>(side)
                    : rules.pattern.queries;
}

}  // namespace

bool isSink(const HeadStats& head)
{
    return head.firstToken > kSinkShare;
}

std::optional<HeadKind> kindOf(const HeadStats& head, const KindRules& rules, const std::uint8_t* tile)
{
    if (rules.pattern.queries < 2 || !rules.pattern.isSquare() || std::isnan(head.meanDistance))
        return std::nullopt;
    if (head.previousToken >= kPreviousShare)
        return HeadKind::PreviousToken;
    if (head.induction >= kInductionShare && ownInduction(rules, tile) >= kInductionOwn)
        return HeadKind::Induction;
    if (isSink(head))
        return HeadKind::Sink;
    // The mean distance of two tokens, or of a token and an earlier one.
    const double equal = (rules.pattern.isCausal ? 1 / 4.0 : 1 / 3.0) * (rules.pattern.queries - 1);
    if (distanceOfRest(rules, tile) <= std::min(kFarthestLocal, kLocalShare * equal))
        return HeadKind::Local;
    return head.entropyNormalized >= kBroadEntropy ? HeadKind::Broad : HeadKind::Mixed;
}

bool canShowInduction(std::span<const HeadStats> heads)
{
    return std::ranges::any_of(heads, [](const HeadStats& head) { return !std::isnan(head.induction); });
}

}  // namespace hs::stats
