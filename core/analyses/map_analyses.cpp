#include "analyses/map_analyses.h"

#include "base/failure.h"
#include "engine/load/model.h"
#include "engine/run/request_check.h"
#include "stats/attention_rollout.h"
#include "stats/correlation.h"

#include <array>
#include <set>

namespace hs::analyses {
namespace {

void checkHeads(const std::vector<HeadId>& heads, const LayeredWeights& weights)
{
    const HeadShape& shape = weights.heads;
    for (const HeadId head : heads)
        if (!shape.contains(head))
            fail(ErrorCode::BadRequest, "There is no head " + toString(head) + " in this model of " +
                                            std::to_string(shape.layers) + " layers with " +
                                            std::to_string(shape.heads) + " heads each; choose another.");
    if (std::set<HeadId>(heads.begin(), heads.end()).size() != heads.size())
        fail(ErrorCode::BadRequest, "A head is named twice; name each once.");
    if (heads.size() < 2)
        fail(ErrorCode::BadRequest, "It takes two heads to compare their weights; choose more of them.");
    stats::checkScatterSize(heads.size(), weights.pattern);
}

const float* patternOf(const engine::LayerMap& maps, HeadId head,
                       const stats::PatternShape& shape)  // [query, key]
{
    return maps.get() + static_cast<std::size_t>(head.head) * shape.mapSize();
}

/// The maps of one layer of each run; keeps those last asked for.
class LayerPair {
public:
    LayerPair(const LayeredWeights& first, const LayeredWeights& second, const Hooks& hooks)
        : m_first(first), m_second(second), m_hooks(hooks)
    {
    }

    std::array<const float*, 2> patterns(HeadId head)
    {
        if (head.layer != m_layer) {
            m_hooks.throwIfCancelled();
            m_hooks.report(head.layer, m_first.heads.layers);
            m_firstMaps = m_first.layer(head.layer);
            m_secondMaps = m_second.layer(head.layer);
            m_layer = head.layer;
        }
        return {patternOf(m_firstMaps, head, m_first.pattern),
                patternOf(m_secondMaps, head, m_second.pattern)};
    }

private:
    const LayeredWeights& m_first;
    const LayeredWeights& m_second;
    const Hooks& m_hooks;
    engine::LayerMap m_firstMaps;
    engine::LayerMap m_secondMaps;
    int m_layer = -1;
};

/// The weights of an engine's run. Both have to outlive them.
LayeredWeights weightsOf(engine::Engine& engine, const engine::RunRequest& request, std::stop_token stop)
{
    return {request.model->spec().headShape(), request.places(), [&engine, &request, stop](int layer) {
                return orThrow(engine.layerMaps(request, layer, engine::MapKind::Weights, {{}, stop}));
            }};
}

}  // namespace

Result<stats::HeadScatter> scatterHeads(const LayeredWeights& weights, const std::vector<HeadId>& heads,
                                        const Hooks& hooks)
{
    return guarded([&] {
        checkHeads(heads, weights);
        const int layers = weights.heads.layers;
        std::vector<std::vector<float>> ofHeads(heads.size());
        for (int layer = 0; layer < layers; ++layer) {
            hooks.throwIfCancelled();
            hooks.report(layer, layers);
            engine::LayerMap maps;
            for (std::size_t index = 0; index < heads.size(); ++index) {
                if (heads[index].layer != layer)
                    continue;
                if (!maps)
                    maps = weights.layer(layer);
                ofHeads[index] =
                    stats::visibleWeights(patternOf(maps, heads[index], weights.pattern), weights.pattern);
            }
        }
        hooks.report(layers, layers);
        return stats::scatterOf(weights.pattern, heads, std::move(ofHeads), {{}, hooks.stop});
    });
}

Result<stats::TokenFlow> tokenFlow(const LayeredWeights& weights, double threshold,
                                   const std::function<bool(HeadId)>& isOff, const Hooks& hooks)
{
    return guarded([&] {
        if (!(threshold >= 0 && threshold <= 1))
            fail(ErrorCode::BadRequest,
                 "Attention weights reach from 0 to 1; choose a threshold in between.");
        const HeadShape& shape = weights.heads;
        stats::TokenFlowBuilder builder(shape.layers, weights.pattern, threshold);
        for (int layer = 0; layer < shape.layers; ++layer) {
            hooks.throwIfCancelled();
            hooks.report(layer, shape.layers);
            const engine::LayerMap maps = weights.layer(layer);
            for (int head = 0; head < shape.headsOf(layer); ++head)
                if (!isOff({layer, head}))
                    builder.add({layer, head}, patternOf(maps, {layer, head}, weights.pattern));
        }
        hooks.report(shape.layers, shape.layers);
        return builder.finish();
    });
}

Result<std::vector<double>> attentionRollout(const LayeredWeights& weights,
                                             const std::function<bool(HeadId)>& isOff, const Hooks& hooks)
{
    return guarded([&] {
        const HeadShape& shape = weights.heads;
        stats::AttentionRollout rollout(weights.pattern);
        for (int layer = 0; layer < shape.layers; ++layer) {
            hooks.throwIfCancelled();
            hooks.report(layer, shape.layers);
            const engine::LayerMap maps = weights.layer(layer);
            std::vector<const float*> heads;
            for (int head = 0; head < shape.headsOf(layer); ++head)
                if (!isOff({layer, head}))
                    heads.push_back(patternOf(maps, {layer, head}, weights.pattern));
            rollout.addLayer(heads);
        }
        hooks.report(shape.layers, shape.layers);
        return rollout.weights();
    });
}

Result<Comparison> compareRuns(const engine::RunResult& first, const LayeredWeights& firstWeights,
                               const engine::RunResult& second, const LayeredWeights& secondWeights,
                               const stats::TokenPairs& tokens, const Hooks& hooks)
{
    return guarded([&] {
        LayerPair layers(firstWeights, secondWeights, hooks);
        return compareHeads(first, second, tokens, [&](HeadId head) { return layers.patterns(head); });
    });
}

Result<stats::HeadScatter> scatterHeads(engine::Engine& engine, const engine::RunRequest& request,
                                        const std::vector<HeadId>& heads, const Hooks& hooks)
{
    return guarded([&] {
        engine::checkRequest(request);
        return orThrow(scatterHeads(weightsOf(engine, request, hooks.stop), heads, hooks));
    });
}

Result<stats::TokenFlow> tokenFlow(engine::Engine& engine, const engine::RunRequest& request,
                                   double threshold, const Hooks& hooks)
{
    return guarded([&] {
        engine::checkRequest(request);
        const auto isOff = [&](HeadId head) { return isSwitchedOff(request.ablations, head); };
        return orThrow(tokenFlow(weightsOf(engine, request, hooks.stop), threshold, isOff, hooks));
    });
}

Result<std::vector<double>> attentionRollout(engine::Engine& engine, const engine::RunRequest& request,
                                             const Hooks& hooks)
{
    return guarded([&] {
        engine::checkRequest(request);
        const auto isOff = [&](HeadId head) { return isSwitchedOff(request.ablations, head); };
        return orThrow(attentionRollout(weightsOf(engine, request, hooks.stop), isOff, hooks));
    });
}

Result<Comparison> compareRuns(engine::Engine& first, const engine::RunRequest& firstRequest,
                               engine::Engine& second, const engine::RunRequest& secondRequest,
                               const stats::TokenPairs& tokens, const Hooks& hooks)
{
    return guarded([&] {
        const engine::RunResult firstRun = orThrow(first.run(firstRequest, {{}, hooks.stop}));
        const engine::RunResult secondRun = orThrow(second.run(secondRequest, {{}, hooks.stop}));
        return orThrow(compareRuns(firstRun, weightsOf(first, firstRequest, hooks.stop), secondRun,
                                   weightsOf(second, secondRequest, hooks.stop), tokens, hooks));
    });
}

}  // namespace hs::analyses
