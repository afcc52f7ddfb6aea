#include "stats/head_summary.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <unordered_map>

namespace hs::stats {
namespace {

constexpr double kNoNumber = std::numeric_limits<double>::quiet_NaN();

double meanOf(double sum, std::int64_t count)
{
    return count > 0 ? sum / static_cast<double>(count) : kNoNumber;
}

/// Raises one row of 8-bit cells to the maxima of the weights that fall into each.
void poolRow(const float* row, int seen, int keys, int columns, std::uint8_t* cells)
{
    // Cell c holds keys from c * keys / columns on; only those that the query sees can be above zero.
    for (int cell = 0; cell < columns; ++cell) {
        const int begin = static_cast<int>(static_cast<std::int64_t>(cell) * keys / columns);
        if (begin >= seen)
            break;
        const int end =
            std::min(seen, static_cast<int>(static_cast<std::int64_t>(cell + 1) * keys / columns));
        cells[cell] = std::max(cells[cell], tileLevel(*std::max_element(row + begin, row + end)));
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

HeadSummarizer::HeadSummarizer(const SummaryRules& rules, std::uint8_t* tile) : m_rules(rules), m_tile(tile)
{
    std::fill_n(tile, rules.tileCells(), std::uint8_t{0});
}

std::uint8_t tileLevel(float weight)
{
    return static_cast<std::uint8_t>(std::lround(std::clamp(weight, 0.0f, 1.0f) * 255));
}

void addRow(PatternSums& sums, const SummaryRules& rules, int query, const float* row)
{
    const PatternShape& shape = rules.pattern;
    const bool isSquare = shape.isSquare();
    const int seen = shape.keysOf(query);
    const auto threshold = static_cast<float>(rules.threshold);
    float peak = 0;
    double rowEntropy = 0, rowMass = 0, rowDistance = 0;
    for (int key = 0; key < seen; ++key) {
        const float weight = row[key];
        if (weight <= 0)
            continue;
        peak = std::max(peak, weight);
        rowEntropy -= weight * std::log(weight);
        rowMass += weight;
        rowDistance += static_cast<double>(weight) * (shape.isCausal ? query - key : std::abs(query - key));
        sums.above += weight > threshold;
        sums.aboveHalf += weight > 0.5f && (key != query || !isSquare);
    }
    sums.peak += peak;
    sums.entropy += rowEntropy;
    sums.mass += rowMass;
    sums.distance += rowDistance;
    // The first row of a causal pattern has no choice.
    if (query > 0 || !shape.isCausal) {
        sums.first += row[0];
        sums.entropyNormalized += seen > 1 ? rowEntropy / std::log(static_cast<double>(seen)) : 0;
    }
    if (isSquare) {
        sums.current += row[query];
        if (query > 0)
            sums.previous += row[query - 1];
        for (const int earlier : rules.repeats.earlier(query)) {
            sums.duplicate += row[earlier];
            sums.induction += row[earlier + 1];
        }
    }
}

void HeadSummarizer::addRow(int query, const float* row)
{
    const PatternShape& shape = m_rules.pattern;
    stats::addRow(m_sums, m_rules, query, row);
    poolRow(row, shape.keysOf(query), shape.keys, m_rules.tileColumns(),
            m_tile + static_cast<std::size_t>(tileCellOf(query, shape.queries, m_rules.tileRows())) *
                         static_cast<std::size_t>(m_rules.tileColumns()));
}

const PatternSums& HeadSummarizer::sums(std::int64_t activeCells)
{
    m_sums.open = static_cast<double>(activeCells);
    return m_sums;
}

HeadStats HeadSummarizer::finish(std::int64_t activeCells)
{
    return statsOf(sums(activeCells), m_rules.pattern, m_rules.repeats.count());
}

std::int64_t SummaryRules::visibleCells(std::int64_t window) const
{
    return fold ? fold->visibleCells(static_cast<int>(window)) : stats::visibleCells(pattern.queries, window);
}

HeadStats summarizeHead(const float* pattern, const SummaryRules& rules, std::int64_t activeCells,
                        std::uint8_t* tile)
{
    HeadSummarizer summarizer(rules, tile);
    for (int query = 0; query < rules.pattern.queries; ++query)
        summarizer.addRow(query, pattern + rules.pattern.indexOf(query, 0));
    return summarizer.finish(activeCells);
}

HeadStats statsOf(const PatternSums& sums, const PatternShape& pattern, std::int64_t repeatedPairs)
{
    const auto cells = static_cast<double>(pattern.cells());
    // Without a place of its own among the keys, a query has no previous token.
    const int length = pattern.isSquare() ? pattern.queries : 0;
    const std::int64_t pairs = pattern.isSquare() ? repeatedPairs : 0;
    const int choices = pattern.isCausal ? pattern.queries - 1 : pattern.keys > 1 ? pattern.queries : 0;
    HeadStats stats;
    stats.previousToken = meanOf(sums.previous, length - 1);
    stats.currentToken = meanOf(sums.current, length);
    stats.firstToken = meanOf(sums.first, choices);
    stats.duplicateToken = meanOf(sums.duplicate, pairs);
    stats.induction = meanOf(sums.induction, pairs);
    stats.entropy = meanOf(sums.entropy, pattern.queries);
    stats.entropyNormalized = meanOf(sums.entropyNormalized, choices);
    stats.peak = meanOf(sums.peak, pattern.queries);
    stats.meanDistance = sums.mass > 0 && length > 0 ? sums.distance / sums.mass : kNoNumber;
    stats.density = sums.open / cells;
    stats.densityAbove = sums.above / cells;
    stats.offDiagonalAboveHalf = static_cast<std::int64_t>(sums.aboveHalf);
    return stats;
}

HeadStats noStats()
{
    HeadStats stats;
    for (double HeadStats::* const field : {
             &HeadStats::previousToken,
             &HeadStats::currentToken,
             &HeadStats::firstToken,
             &HeadStats::duplicateToken,
             &HeadStats::induction,
             &HeadStats::entropy,
             &HeadStats::entropyNormalized,
             &HeadStats::peak,
             &HeadStats::meanDistance,
             &HeadStats::density,
             &HeadStats::densityAbove,
         })
        stats.*field = kNoNumber;
    return stats;
}

bool isHead(const HeadStats& stats)
{
    return !std::isnan(stats.density);
}

std::int64_t visibleCells(std::int64_t length, std::int64_t window)
{
    if (window <= 0 || window >= length)
        return causalCells(length);
    return causalCells(window) + (length - window) * window;
}

}  // namespace hs::stats
