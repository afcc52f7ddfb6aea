#include "stats/head_scatter.h"

#include "base/failure.h"
#include "base/text_format.h"
#include "stats/correlation.h"

#include <algorithm>
#include <cstddef>
#include <limits>
#include <utility>

namespace hs::stats {
namespace {

constexpr std::int64_t kMostWeights = 200'000'000;  // take 800 MB

/// Growing clusters: the heads in each, and the sum of correlations between every two of them.
class Linkage {
public:
    explicit Linkage(const HeadScatter& scatter) : m_sums(scatter.correlations), m_count(scatter.heads.size())
    {
        m_members.resize(m_count);
        for (std::size_t head = 0; head < m_count; ++head)
            m_members[head] = {head};
    }

    /// Joins the two clusters that are most alike; false if none are alike enough.
    bool join(double alike)
    {
        std::size_t first = 0;
        std::size_t second = 0;
        double best = -std::numeric_limits<double>::infinity();
        for (std::size_t row = 0; row < m_count; ++row)
            for (std::size_t column = row + 1; column < m_count; ++column)
                if (const double mean = meanBetween(row, column); mean > best && mean >= alike) {
                    best = mean;
                    first = row;
                    second = column;
                }
        if (first == second)
            return false;
        for (std::size_t other = 0; other < m_count; ++other) {
            sum(first, other) += sum(second, other);
            sum(other, first) = sum(first, other);
        }
        m_members[first].insert(m_members[first].end(), m_members[second].begin(), m_members[second].end());
        m_members[second].clear();
        return true;
    }

    /// The number of each head's cluster: 0 is the largest, equal ones are ordered by their first heads.
    std::vector<int> numbers()
    {
        std::stable_sort(m_members.begin(), m_members.end(),
                         [](const auto& a, const auto& b) { return a.size() > b.size(); });
        std::vector<int> numbers(m_count);
        for (std::size_t cluster = 0; cluster < m_count; ++cluster)
            for (const std::size_t head : m_members[cluster])
                numbers[head] = static_cast<int>(cluster);
        return numbers;
    }

private:
    double& sum(std::size_t row, std::size_t column) { return m_sums[row * m_count + column]; }

    /// NaN if one was joined to another or holds a head that correlates with nothing.
    double meanBetween(std::size_t row, std::size_t column)
    {
        const std::size_t pairs = m_members[row].size() * m_members[column].size();
        return pairs > 0 ? sum(row, column) / static_cast<double>(pairs)
                         : std::numeric_limits<double>::quiet_NaN();
    }

    std::vector<double> m_sums;                       // [cluster, cluster]
    std::vector<std::vector<std::size_t>> m_members;  // [cluster], named by its first head; empty: joined
    std::size_t m_count;
};

}  // namespace

void checkScatterSize(std::size_t heads, const PatternShape& shape)
{
    const auto headCount = static_cast<std::int64_t>(heads);
    if (shape.cells() * headCount > kMostWeights)
        fail(ErrorCode::TooLarge,
             "The weights of " + formatCount(headCount) + " heads over " +
                 formatCount(std::max(shape.queries, shape.keys)) +
                 " tokens are too many to compare; choose fewer heads or shorten the prompt.");
}

HeadScatter scatterOf(const PatternShape& shape, std::vector<HeadId> heads,
                      std::vector<std::vector<float>> weights, const Hooks& hooks, double alike)
{
    HeadScatter scatter;
    scatter.pattern = shape;
    scatter.heads = std::move(heads);
    scatter.weights = std::move(weights);
    scatter.correlations = correlations(
        std::vector<std::span<const float>>(scatter.weights.begin(), scatter.weights.end()), hooks);
    Linkage linkage(scatter);
    while (linkage.join(alike)) {
    }
    scatter.clusters = linkage.numbers();
    return scatter;
}

}  // namespace hs::stats
