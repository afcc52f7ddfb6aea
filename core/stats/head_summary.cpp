#include "stats/head_summary.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <unordered_map>

namespace hs::stats {
namespace {

double meanOf(double sum, std::int64_t count)
{
    return count > 0 ? sum / static_cast<double>(count) : std::numeric_limits<double>::quiet_NaN();
}

/// Raises one row of 8-bit cells to the maxima of the weights that fall into each.
void poolRow(const float* row, int query, int length, int side, std::uint8_t* cells)
{
    // Cell c holds keys from c * length / side on; only causal keys can be above zero.
    for (int cell = 0; cell < side; ++cell) {
        const int begin = static_cast<int>(static_cast<std::int64_t>(cell) * length / side);
        if (begin > query)
            break;
        const int end =
            std::min(query + 1, static_cast<int>(static_cast<std::int64_t>(cell + 1) * length / side));
        const float peak = std::clamp(*std::max_element(row + begin, row + end), 0.0f, 1.0f);
        cells[cell] = std::max(cells[cell], static_cast<std::uint8_t>(std::lround(peak * 255)));
    }
}

}  // namespace

RepeatedTokens::RepeatedTokens(std::span<const std::int64_t> tokens)
    : m_places(tokens.size()), m_positions(tokens.size())
{
    std::unordered_map<std::int64_t, std::size_t> occurrences;
    for (std::size_t query = 0; query < tokens.size(); ++query)
        m_places[query].rank = occurrences[tokens[query]]++;
    std::unordered_map<std::int64_t, std::size_t> groups;
    std::size_t next = 0;
    for (std::size_t query = 0; query < tokens.size(); ++query) {
        const auto [group, isNew] = groups.emplace(tokens[query], next);
        if (isNew)
            next += occurrences[tokens[query]];
        m_places[query].group = group->second;
        m_positions[group->second + m_places[query].rank] = static_cast<int>(query);
        m_count += static_cast<std::int64_t>(m_places[query].rank);
    }
}

HeadStats summarizeHead(const float* pattern, const SummaryRules& rules, std::int64_t activeCells,
                        std::uint8_t* tile)
{
    const int length = rules.length;
    const float threshold = static_cast<float>(rules.threshold);
    PatternSums sums;
    sums.open = static_cast<double>(activeCells);
    std::fill_n(tile, static_cast<std::size_t>(rules.tileSide) * rules.tileSide, std::uint8_t{0});
    for (int query = 0; query < length; ++query) {
        const float* const row = pattern + static_cast<std::size_t>(query) * length;
        float peak = 0;
        double rowEntropy = 0, rowMass = 0, rowKeys = 0;
        for (int key = 0; key <= query; ++key) {
            const float weight = row[key];
            if (weight <= 0)
                continue;
            peak = std::max(peak, weight);
            rowEntropy -= weight * std::log(weight);
            rowMass += weight;
            rowKeys += static_cast<double>(weight) * key;
            sums.above += weight > threshold;
            sums.aboveHalf += weight > 0.5f && key != query;
        }
        sums.peak += peak;
        sums.entropy += rowEntropy;
        sums.mass += rowMass;
        sums.distance += rowMass * query - rowKeys;
        sums.current += row[query];
        if (query > 0) {
            sums.previous += row[query - 1];
            sums.first += row[0];
            sums.entropyNormalized += rowEntropy / std::log(query + 1.0);
        }
        for (const int earlier : rules.repeats.earlier(query)) {
            sums.duplicate += row[earlier];
            sums.induction += row[earlier + 1];
        }
        const int tileRow =
            static_cast<int>((static_cast<std::int64_t>(query + 1) * rules.tileSide - 1) / length);
        poolRow(row, query, length, rules.tileSide,
                tile + static_cast<std::size_t>(tileRow) * rules.tileSide);
    }

    return statsOf(sums, length, rules.repeats.count());
}

HeadStats statsOf(const PatternSums& sums, int length, std::int64_t repeatedPairs)
{
    const auto cells = static_cast<double>(causalCells(length));
    HeadStats stats;
    stats.previousToken = meanOf(sums.previous, length - 1);
    stats.currentToken = meanOf(sums.current, length);
    stats.firstToken = meanOf(sums.first, length - 1);
    stats.duplicateToken = meanOf(sums.duplicate, repeatedPairs);
    stats.induction = meanOf(sums.induction, repeatedPairs);
    stats.entropy = meanOf(sums.entropy, length);
    stats.entropyNormalized = meanOf(sums.entropyNormalized, length - 1);
    stats.peak = meanOf(sums.peak, length);
    stats.meanDistance = sums.mass > 0 ? sums.distance / sums.mass : std::numeric_limits<double>::quiet_NaN();
    stats.density = sums.open / cells;
    stats.densityAbove = sums.above / cells;
    stats.offDiagonalAboveHalf = static_cast<std::int64_t>(sums.aboveHalf);
    return stats;
}

std::int64_t visibleCells(std::int64_t length, std::int64_t window)
{
    if (window <= 0 || window >= length)
        return causalCells(length);
    return causalCells(window) + (length - window) * window;
}

}  // namespace hs::stats
