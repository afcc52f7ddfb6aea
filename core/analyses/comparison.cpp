#include "analyses/comparison.h"

#include <algorithm>

namespace hs::analyses {

Comparison compareHeads(const engine::RunResult& first, const engine::RunResult& second,
                        const PatternsOf& patterns)
{
    Comparison comparison{stats::summarize(first.stats), stats::summarize(second.stats), {}};
    if (first.tokens != second.tokens || !first.heads.hasSameHeads(second.heads))
        return comparison;
    const int length = static_cast<int>(first.tokens.size());
    for (int index = 0; index < first.heads.total(); ++index) {
        const HeadId head = first.heads.at(index);
        const auto [before, after] = patterns(head);
        comparison.pairs.push_back(
            {head, first.statsOf(head), second.statsOf(head), stats::patternDistance(before, after, length)});
    }
    std::stable_sort(comparison.pairs.begin(), comparison.pairs.end(),
                     [](const HeadPair& a, const HeadPair& b) {
                         return a.distance.totalVariation > b.distance.totalVariation;
                     });
    return comparison;
}

Comparison compareHeads(const engine::RunResult& first, const engine::RunResult& second)
{
    return compareHeads(first, second,
                        [&](HeadId head) { return std::array{first.mapOf(head), second.mapOf(head)}; });
}

}  // namespace hs::analyses
