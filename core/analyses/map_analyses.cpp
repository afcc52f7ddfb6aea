#include "analyses/map_analyses.h"

#include "base/failure.h"
#include "engine/load/model.h"
#include "engine/run/request_check.h"
#include "stats/correlation.h"

#include <array>
#include <set>

namespace hs::analyses {
namespace {

const float* patternOf(const engine::LayerMap& maps, HeadId head, std::size_t length)  // [query, key]
{
    return maps.get() + static_cast<std::size_t>(head.head) * length * length;
}

void checkHeads(const std::vector<HeadId>& heads, const engine::RunRequest& request)
{
    const HeadShape shape = request.model->spec().headShape();
    for (const HeadId head : heads)
        if (!shape.contains(head))
            fail(ErrorCode::BadRequest, "There is no head " + toString(head) + " in this model of " +
                                            std::to_string(shape.layers) + " layers with " +
                                            std::to_string(shape.heads) + " heads each; choose another.");
    if (std::set<HeadId>(heads.begin(), heads.end()).size() != heads.size())
        fail(ErrorCode::BadRequest, "A head is named twice; name each once.");
    if (heads.size() < 2)
        fail(ErrorCode::BadRequest, "It takes two heads to compare their weights; choose more of them.");
    stats::checkScatterSize(heads.size(), static_cast<int>(request.tokens.size()));
}

/// The maps of one layer of each run; keeps those last asked for.
class LayerPair {
public:
    LayerPair(engine::Engine& first, const engine::RunRequest& firstRequest, engine::Engine& second,
              const engine::RunRequest& secondRequest, const Hooks& hooks)
        : m_first(first), m_firstRequest(firstRequest), m_second(second), m_secondRequest(secondRequest),
          m_hooks(hooks)
    {
    }

    std::array<const float*, 2> patterns(HeadId head)
    {
        const std::size_t length = m_firstRequest.tokens.size();
        if (head.layer != m_layer) {
            m_hooks.throwIfCancelled();
            m_hooks.report(head.layer, m_firstRequest.model->spec().layers);
            const Hooks quiet{{}, m_hooks.stop};
            m_firstMaps =
                orThrow(m_first.layerMaps(m_firstRequest, head.layer, engine::MapKind::Weights, quiet));
            m_secondMaps =
                orThrow(m_second.layerMaps(m_secondRequest, head.layer, engine::MapKind::Weights, quiet));
            m_layer = head.layer;
        }
        return {patternOf(m_firstMaps, head, length), patternOf(m_secondMaps, head, length)};
    }

private:
    engine::Engine& m_first;
    const engine::RunRequest& m_firstRequest;
    engine::Engine& m_second;
    const engine::RunRequest& m_secondRequest;
    const Hooks& m_hooks;
    engine::LayerMap m_firstMaps;
    engine::LayerMap m_secondMaps;
    int m_layer = -1;
};

}  // namespace

Result<stats::HeadScatter> scatterHeads(engine::Engine& engine, const engine::RunRequest& request,
                                        const std::vector<HeadId>& heads, const Hooks& hooks)
{
    return guarded([&] {
        engine::checkRequest(request);
        checkHeads(heads, request);
        const int layers = request.model->spec().layers;
        const std::size_t length = request.tokens.size();
        std::vector<std::vector<float>> weights(heads.size());
        for (int layer = 0; layer < layers; ++layer) {
            hooks.throwIfCancelled();
            hooks.report(layer, layers);
            engine::LayerMap maps;
            for (std::size_t index = 0; index < heads.size(); ++index) {
                if (heads[index].layer != layer)
                    continue;
                if (!maps)
                    maps =
                        orThrow(engine.layerMaps(request, layer, engine::MapKind::Weights, {{}, hooks.stop}));
                weights[index] =
                    stats::visibleWeights(patternOf(maps, heads[index], length), static_cast<int>(length));
            }
        }
        hooks.report(layers, layers);
        return stats::scatterOf(static_cast<int>(length), heads, std::move(weights), {{}, hooks.stop});
    });
}

Result<stats::TokenFlow> tokenFlow(engine::Engine& engine, const engine::RunRequest& request,
                                   double threshold, const Hooks& hooks)
{
    return guarded([&] {
        engine::checkRequest(request);
        if (!(threshold >= 0 && threshold <= 1))
            fail(ErrorCode::BadRequest,
                 "Attention weights reach from 0 to 1; choose a threshold in between.");
        const HeadShape shape = request.model->spec().headShape();
        const std::size_t length = request.tokens.size();
        stats::TokenFlowBuilder builder(shape.layers, static_cast<int>(length), threshold);
        for (int layer = 0; layer < shape.layers; ++layer) {
            hooks.throwIfCancelled();
            hooks.report(layer, shape.layers);
            const engine::LayerMap maps =
                orThrow(engine.layerMaps(request, layer, engine::MapKind::Weights, {{}, hooks.stop}));
            for (int head = 0; head < shape.heads; ++head)
                if (!request.ablations.contains({layer, head}))
                    builder.add({layer, head}, patternOf(maps, {layer, head}, length));
        }
        hooks.report(shape.layers, shape.layers);
        return builder.finish();
    });
}

Result<Comparison> compareRuns(engine::Engine& first, const engine::RunRequest& firstRequest,
                               engine::Engine& second, const engine::RunRequest& secondRequest,
                               const Hooks& hooks)
{
    return guarded([&] {
        const engine::RunResult firstRun = orThrow(first.run(firstRequest, {{}, hooks.stop}));
        const engine::RunResult secondRun = orThrow(second.run(secondRequest, {{}, hooks.stop}));
        LayerPair layers(first, firstRequest, second, secondRequest, hooks);
        return compareHeads(firstRun, secondRun, [&](HeadId head) { return layers.patterns(head); });
    });
}

}  // namespace hs::analyses
