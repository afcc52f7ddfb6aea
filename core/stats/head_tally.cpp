#include "stats/head_tally.h"

#include <algorithm>
#include <numeric>
#include <tuple>

namespace hs::stats {
namespace {

constexpr double kLeastInduction = 0.01;  // as HeadVis counts
constexpr float kLeastKept = 0.005f;      // of an example's cells
constexpr std::size_t kCellsOfQuery = 8;
constexpr int kContext = 12;  // tokens before one that an ablation changes

/// Adds an item to a list in which `isBefore` sorts, and cuts the list to a length.
template <class Item, class IsBefore>
void keepFirst(std::vector<Item>& list, Item item, std::size_t kept, const IsBefore& isBefore)
{
    list.insert(std::ranges::upper_bound(list, item, isBefore), std::move(item));
    if (list.size() > kept)
        list.pop_back();
}

/// What a head's map is reduced to.
struct MapSums {
    std::vector<double> byKey;       // [key]
    std::vector<double> byDistance;  // [query - key]
    std::vector<double> byQuery;     // [query], first keys left out
    HeadExample::Cell most;
};

MapSums sumsOf(const float* map, std::size_t length)
{
    MapSums sums{std::vector<double>(length), std::vector<double>(length), std::vector<double>(length), {}};
    for (std::size_t query = 0; query < length; ++query) {
        const float* const row = map + query * length;
        double* const byDistance = sums.byDistance.data() + query;
        double whole = 0;
        float most = 0;
        for (std::size_t key = 0; key <= query; ++key) {
            const double weight = row[key];
            sums.byKey[key] += weight;
            *(byDistance - key) += weight;
            whole += weight;
            most = key > 0 && row[key] > most ? row[key] : most;
        }
        sums.byQuery[query] = whole - row[0];
        if (most > sums.most.weight)
            sums.most = {static_cast<int>(query),
                         static_cast<int>(std::find(row + 1, row + query + 1, most) - row), most};
    }
    return sums;
}

/// The largest cells of each query, by query and key.
std::vector<HeadExample::Cell> largestCells(const float* map, int length)
{
    std::vector<HeadExample::Cell> cells;
    std::vector<HeadExample::Cell> row;
    for (int query = 0; query < length; ++query) {
        row.clear();
        for (int key = 0; key <= query; ++key)
            if (const float weight = map[static_cast<std::size_t>(query) * static_cast<std::size_t>(length) +
                                         static_cast<std::size_t>(key)];
                weight >= kLeastKept)
                row.push_back({query, key, weight});
        std::ranges::stable_sort(row, std::ranges::greater{}, &HeadExample::Cell::weight);
        row.resize(std::min(row.size(), kCellsOfQuery));
        std::ranges::sort(row, {}, &HeadExample::Cell::key);
        cells.insert(cells.end(), row.begin(), row.end());
    }
    return cells;
}

double over(double sum, std::int64_t count)
{
    return count > 0 ? sum / static_cast<double>(count) : NAN;
}

}  // namespace

std::vector<std::size_t> CorpusTokens::add(std::span<const std::int64_t> row)
{
    std::vector<std::size_t> numbers;
    for (const std::int64_t token : row) {
        const auto [entry, isNew] = m_numbers.try_emplace(token, m_tokens.size());
        if (isNew) {
            m_tokens.push_back(token);
            m_counts.push_back(0);
        }
        ++m_counts[entry->second];
        numbers.push_back(entry->second);
    }
    return numbers;
}

void HeadTally::add(const CorpusRow& row, const float* map, const HeadStats& stats, const std::uint8_t* tile)
{
    const std::size_t length = row.tokens.size();
    const MapSums sums = sumsOf(map, length);
    const double own = map[0];              // of the first query
    const double neighbours = map[length];  // of the second query and the first key
    double afterCopies = 0;
    double inductionSum = 0;
    std::int64_t repeated = 0;
    for (std::size_t query = 1; query < length; ++query) {
        const std::span<const int> earlier = row.repeats.earlier(static_cast<int>(query));
        repeated += earlier.empty() ? 0 : 1;
        for (const int copy : earlier) {
            const auto key = static_cast<std::size_t>(copy) + 1;
            const double weight = map[query * length + key];
            inductionSum += weight >= kLeastInduction ? weight : 0;
            afterCopies += key + 1 < query ? weight : 0;
        }
    }
    double distance = 0;
    double squares = 0;
    std::size_t bin = 0;
    for (std::size_t apart = 0; apart < length; ++apart) {
        const double steps = static_cast<double>(apart);
        distance += sums.byDistance[apart] * steps;
        squares += sums.byDistance[apart] * steps * steps;
        while (bin + 1 < m_byDistance.size() && static_cast<int>(apart) >= kDistances[bin + 1])
            ++bin;
        m_byDistance[bin] += sums.byDistance[apart];
    }
    const double mass = std::accumulate(sums.byKey.begin(), sums.byKey.end(), -own);
    const double first = sums.byKey[0] - own;
    const double current = sums.byDistance[0] - own;
    const double previous = sums.byDistance[1] - neighbours;
    const std::array<double, 6> shares = {first,
                                          current,
                                          previous,
                                          afterCopies,
                                          mass - first - current - previous - afterCopies,
                                          static_cast<double>(length - 1) - mass};
    const std::array<double, 6> measures = {sums.byDistance[0],
                                            sums.byDistance[1],
                                            stats.entropy * static_cast<double>(length),
                                            distance,
                                            squares,
                                            inductionSum};
    for (std::size_t part = 0; part < shares.size(); ++part) {
        m_shares[part] += shares[part];
        m_sums[part] += measures[part];
    }
    m_counts.positions += static_cast<std::int64_t>(length);
    m_counts.rows += 1;
    m_counts.repeated += repeated;
    for (std::size_t metric = 0; metric < m_metrics.size(); ++metric)
        m_metrics[metric].add(allMetrics()[metric].of(stats));
    if (const auto kind = kindOf(stats, {row.repeats, static_cast<int>(length), row.tileSide}, tile))
        ++m_kinds[static_cast<std::size_t>(*kind)];
    m_largest += sums.most.weight;
    ++m_byLevel[std::min(static_cast<std::size_t>(sums.most.weight * static_cast<float>(kLevels)),
                         kLevels - 1)];
    const std::size_t known = std::ranges::max(row.numbers) + 1;
    m_asKey.resize(std::max(m_asKey.size(), known));
    m_asQuery.resize(m_asKey.size());
    for (std::size_t at = 1; at < length; ++at) {
        m_asKey[row.numbers[at]] += sums.byKey[at];
        m_asQuery[row.numbers[at]] += sums.byQuery[at];
    }
    if (sums.most.weight > 0)
        addExample(row, map, sums.most);
}

void HeadTally::addExample(const CorpusRow& row, const float* map, const HeadExample::Cell& most)
{
    if (m_examples.size() == m_kept && (m_kept == 0 || most.weight <= m_examples.back().most.weight))
        return;
    // Many rows have the same commas; an example should show something that the others do not.
    const auto tokensOf = [](std::span<const std::int64_t> tokens, const HeadExample::Cell& cell) {
        return std::pair(tokens[static_cast<std::size_t>(cell.query)],
                         tokens[static_cast<std::size_t>(cell.key)]);
    };
    const auto same = std::ranges::find_if(m_examples, [&](const HeadExample& example) {
        return tokensOf(example.tokens, example.most) == tokensOf(row.tokens, most);
    });
    if (same != m_examples.end()) {
        if (same->most.weight >= most.weight)
            return;
        m_examples.erase(same);
    }
    keepFirst(m_examples,
              HeadExample{row.number,
                          most,
                          {row.tokens.begin(), row.tokens.end()},
                          largestCells(map, static_cast<int>(row.tokens.size()))},
              m_kept, [](const HeadExample& a, const HeadExample& b) {
                  return std::tuple(-a.most.weight, a.row) < std::tuple(-b.most.weight, b.row);
              });
}

void HeadTally::addAblation(const CorpusRow& row, std::span<const double> losses,
                            std::span<const double> ablated)
{
    for (std::size_t query = 0; query < losses.size(); ++query) {
        const double change = ablated[query] - losses[query];
        m_ablation.add(change);
        const auto position = static_cast<int>(query) + 1;
        const auto begin = row.tokens.begin() + std::max(0, position - kContext);
        const auto keep = [&](std::vector<TokenChange>& list, double sign) {
            if (sign * change <= 0)
                return;
            if (list.size() == m_kept && (m_kept == 0 || sign * change <= sign * list.back().change))
                return;
            keepFirst(
                list,
                TokenChange{
                    row.number, position, losses[query], change, {begin, row.tokens.begin() + position + 1}},
                m_kept, [sign](const TokenChange& a, const TokenChange& b) {
                    return std::tuple(-sign * a.change, a.row, a.position) <
                           std::tuple(-sign * b.change, b.row, b.position);
                });
        };
        keep(m_harmed, 1);
        keep(m_helped, -1);
    }
}

HeadTally::Scores HeadTally::scores() const
{
    const double distance = over(m_sums[3], m_counts.positions);
    return {over(m_sums[0], m_counts.positions),
            over(m_sums[1], m_counts.positions - m_counts.rows),
            over(m_sums[2], m_counts.positions),
            distance,
            over(m_sums[4], m_counts.positions) - distance * distance,
            over(m_sums[5], m_counts.repeated)};
}

AttentionShares HeadTally::shares() const
{
    const auto part = [&](std::size_t index) {
        return over(m_shares[index], m_counts.positions - m_counts.rows);
    };
    return {part(0), part(1), part(2), part(3), part(4), part(5)};
}

double HeadTally::meanLargest() const
{
    return over(m_largest, m_counts.rows);
}

}  // namespace hs::stats
