#include "analyses/comparison.h"

#include <algorithm>

namespace hs::analyses {

Comparison compareHeads(const engine::RunResult& first, const engine::RunResult& second,
                        const stats::TokenPairs& tokens, const PatternsOf& patterns)
{
    Comparison comparison{stats::summarize(first.stats), stats::summarize(second.stats), {}};
    const bool haveSameTokens =
        first.tokens == second.tokens && first.tokensOfKeys() == second.tokensOfKeys();
    if (!first.heads.hasSameHeads(second.heads) ||
        (!haveSameTokens && (tokens.queries.empty() || tokens.keys.empty())))
        return comparison;
    comparison.rows = haveSameTokens ? first.queries() : static_cast<int>(tokens.queries.size());
    // Of a causal pattern, the cells that it lacks are 0.
    const stats::PatternShape shape = first.isCausal ? second.pattern() : first.pattern();
    for (const HeadId head : first.heads.all()) {
        const auto [before, after] = patterns(head);
        comparison.pairs.push_back({head, first.statsOf(head), second.statsOf(head),
                                    haveSameTokens ? stats::patternDistance(before, after, shape)
                                                   : stats::patternDistance(before, first.pattern(), after,
                                                                            second.pattern(), tokens)});
    }
    std::stable_sort(comparison.pairs.begin(), comparison.pairs.end(),
                     [](const HeadPair& a, const HeadPair& b) {
                         return a.distance.totalVariation > b.distance.totalVariation;
                     });
    return comparison;
}

std::vector<LayerChange> changesByLayer(const std::vector<HeadPair>& pairs,
                                        double stats::PatternDistance::* distance)
{
    std::vector<LayerChange> layers;
    std::vector<int> heads;
    for (const HeadPair& pair : pairs) {
        const auto layer = static_cast<std::size_t>(pair.head.layer);
        if (layer >= layers.size()) {
            layers.resize(layer + 1, {0, -1, {}});
            heads.resize(layer + 1);
        }
        const double value = pair.distance.*distance;
        layers[layer].mean += value;
        ++heads[layer];
        if (value > layers[layer].largest)
            layers[layer] = {layers[layer].mean, value, pair.head};
    }
    for (std::size_t layer = 0; layer < layers.size(); ++layer)
        layers[layer].mean /= heads[layer];
    return layers;
}

Comparison compareHeads(const engine::RunResult& first, const engine::RunResult& second)
{
    return compareHeads(first, second, {},
                        [&](HeadId head) { return std::array{first.mapOf(head), second.mapOf(head)}; });
}

}  // namespace hs::analyses
