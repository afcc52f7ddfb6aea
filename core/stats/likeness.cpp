#include "stats/likeness.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <numeric>

namespace hs::stats {
namespace {

/// Distances between all items. [item, item]
class Distances {
public:
    Distances(std::span<const float> items, int count, int features)
        : m_count(static_cast<std::size_t>(count)), m_cells(m_count * m_count, 0.0f)
    {
        const auto width = static_cast<std::size_t>(features);
        std::vector<float> unit(items.begin(), items.end());
        std::vector<bool> isEmpty(m_count);
        for (std::size_t item = 0; item < m_count; ++item) {
            float* const row = unit.data() + item * width;
            const float length = std::sqrt(std::inner_product(row, row + width, row, 0.0f));
            isEmpty[item] = length == 0;
            for (std::size_t feature = 0; feature < width && length > 0; ++feature)
                row[feature] /= length;
        }
        for (std::size_t a = 0; a < m_count; ++a)
            for (std::size_t b = 0; b < a; ++b) {
                const float* const first = unit.data() + a * width;
                const float product =
                    std::transform_reduce(first, first + width, unit.data() + b * width, 0.0f);
                // Two items without any feature are alike, and unlike all others.
                set(a, b, isEmpty[a] && isEmpty[b] ? 0 : 1 - product);
            }
    }

    float operator()(std::size_t a, std::size_t b) const { return m_cells[a * m_count + b]; }
    void set(std::size_t a, std::size_t b, float distance)
    {
        m_cells[a * m_count + b] = m_cells[b * m_count + a] = distance;
    }

private:
    std::size_t m_count;
    std::vector<float> m_cells;
};

using Run = std::vector<int>;

/// Joins two runs so that their nearest ends meet.
Run joined(Run a, Run b, const Distances& between)
{
    const auto distance = [&](int x, int y) {
        return between(static_cast<std::size_t>(x), static_cast<std::size_t>(y));
    };
    const std::vector<float> ends = {distance(a.back(), b.front()), distance(a.back(), b.back()),
                                     distance(a.front(), b.front()), distance(a.front(), b.back())};
    const auto nearest = std::min_element(ends.begin(), ends.end()) - ends.begin();
    if (nearest >= 2)
        std::reverse(a.begin(), a.end());
    if (nearest % 2 == 1)
        std::reverse(b.begin(), b.end());
    a.insert(a.end(), b.begin(), b.end());
    return a;
}

}  // namespace

std::vector<int> likenessOrder(std::span<const float> items, int count, int features)
{
    if (count <= 0)
        return {};
    const Distances between(items, count, features);
    Distances linkage = between;  // of clusters, each named by one of its items
    const auto all = static_cast<std::size_t>(count);
    std::vector<Run> runs(all);
    for (std::size_t item = 0; item < all; ++item)
        runs[item] = {static_cast<int>(item)};

    // A chain of nearest neighbours: each link is the nearest cluster of the one before, until two are
    // each other's nearest and are joined.
    std::vector<std::size_t> chain;
    for (std::size_t joints = 0; joints + 1 < all;) {
        if (chain.empty())
            chain.push_back(static_cast<std::size_t>(
                std::ranges::find_if(runs, [](const Run& run) { return !run.empty(); }) - runs.begin()));
        const std::size_t last = chain.back();
        const std::size_t before = chain.size() > 1 ? chain[chain.size() - 2] : all;
        std::size_t nearest = before;
        float least = before < all ? linkage(last, before) : std::numeric_limits<float>::max();
        for (std::size_t other = 0; other < all; ++other)
            if (other != last && !runs[other].empty() && linkage(last, other) < least) {
                nearest = other;
                least = linkage(last, other);
            }
        if (nearest != before) {
            chain.push_back(nearest);
            continue;
        }
        chain.resize(chain.size() - 2);
        const auto mine = static_cast<float>(runs[last].size());
        const auto theirs = static_cast<float>(runs[before].size());
        for (std::size_t other = 0; other < all; ++other)
            if (other != last && other != before && !runs[other].empty())
                linkage.set(last, other,
                            (mine * linkage(last, other) + theirs * linkage(before, other)) /
                                (mine + theirs));
        const bool isFirst = runs[last].front() < runs[before].front();
        Run& one = runs[isFirst ? last : before];
        Run& two = runs[isFirst ? before : last];
        Run both = joined(std::move(one), std::move(two), between);
        runs[before].clear();
        runs[last] = std::move(both);
        ++joints;
    }
    Run order = *std::ranges::find_if(runs, [](const Run& run) { return !run.empty(); });
    if (order.front() > order.back())
        std::reverse(order.begin(), order.end());
    return order;
}

}  // namespace hs::stats
