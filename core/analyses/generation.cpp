#include "analyses/generation.h"

#include "base/draws.h"
#include "base/failure.h"
#include "engine/load/model.h"
#include "engine/run/continuation.h"

#include <algorithm>
#include <cmath>

namespace hs::analyses {
namespace {

/// The same number from 0 to 1 for the same seed and step.
double numberOf(std::uint64_t seed, int step)
{
    return static_cast<double>(Draws({seed, static_cast<std::uint64_t>(step)}).next() >> 11) * 0x1p-53;
}

GeneratedToken stepOf(const engine::ContinuedRun& run, int runnersUp)
{
    GeneratedToken step{run.next, run.run.predictions};
    std::erase_if(step.runnersUp, [&](const auto& other) { return other.token == run.next.token; });
    step.runnersUp.resize(std::min(step.runnersUp.size(), static_cast<std::size_t>(runnersUp)));
    return step;
}

Generation generateTokens(const GenerationRequest& request, const Hooks& hooks, const StepNews& news)
{
    engine::RunRequest run = request.run;
    run.capture.topK = std::max(run.capture.topK, request.runnersUp + 1);
    if (run.model)
        run.capture.topK = std::min(run.capture.topK, run.model->spec().vocabulary);
    engine::Continuation continuation;
    Generation generation;
    for (int step = 0; step < request.count; ++step) {
        hooks.report(step, request.count);
        run.ablations = step < request.ablateFrom ? engine::Ablations() : request.run.ablations;
        const engine::ContinuedRun continued = orThrow(continuation.run(
            run, {request.temperature, request.topK, numberOf(request.seed, step)}, {{}, hooks.stop}));
        generation.bytesKept = continuation.bytes();
        generation.tokens.push_back(stepOf(continued, request.runnersUp));
        run.tokens.push_back(continued.next.token);
        const bool goesOn = !news || news(generation.tokens.back(), continued.run);
        if (std::ranges::find(request.endTokens, continued.next.token) != request.endTokens.end())
            generation.end = GenerationEnd::EndToken;
        else if (!goesOn)
            generation.end = GenerationEnd::Listener;
        else if (step + 1 < request.count &&
                 run.tokens.size() > static_cast<std::size_t>(run.model->spec().context))
            generation.end = GenerationEnd::Context;
        else
            continue;
        break;
    }
    hooks.report(request.count, request.count);
    return generation;
}

}  // namespace

Result<Generation> generate(const GenerationRequest& request, const Hooks& hooks, const StepNews& news)
{
    return guarded([&] { return generateTokens(request, hooks, news); });
}

std::optional<int> partingStep(const Generation& first, const Generation& second)
{
    const auto [here, there] = std::ranges::mismatch(
        first.tokens, second.tokens, {}, [](const GeneratedToken& step) { return step.token.token; },
        [](const GeneratedToken& step) { return step.token.token; });
    if (here == first.tokens.end() || there == second.tokens.end())
        return std::nullopt;
    return static_cast<int>(here - first.tokens.begin());
}

Result<std::vector<PartingHead>> headsAtParting(const PartingModel& first, const PartingModel& second,
                                                const Hooks& hooks)
{
    return guarded([&] {
        std::vector<PartingHead> heads;
        const HeadShape shape = first.run.model->spec().headShape();
        if (!shape.hasSameHeads(second.run.model->spec().headShape()))
            return heads;
        const auto contributionsIn = [&](const PartingModel& model) {
            return orThrow(
                       model.engine.attribute({model.run, -1, first.token, second.token}, {{}, hooks.stop}))
                .heads;
        };
        const std::vector<double> here = contributionsIn(first), there = contributionsIn(second);
        const auto keys = static_cast<int>(first.run.tokens.size());
        const stats::PatternShape map(keys);
        for (int layer = 0; layer < shape.layers; ++layer) {
            hooks.report(layer, shape.layers);
            const auto mapsOf = [&](const PartingModel& model) {
                return orThrow(
                    model.engine.layerMaps(model.run, layer, engine::MapKind::Weights, {{}, hooks.stop}));
            };
            const engine::LayerMap firstMaps = mapsOf(first), secondMaps = mapsOf(second);
            for (int head = 0; head < shape.heads; ++head) {
                const std::size_t row =
                    static_cast<std::size_t>(head) * map.mapSize() + map.indexOf(keys - 1, 0);
                const auto index = static_cast<std::size_t>(shape.indexOf({layer, head}));
                heads.push_back({{layer, head},
                                 here[index],
                                 there[index],
                                 stats::patternDistance(firstMaps.get() + row, secondMaps.get() + row,
                                                        {1, keys, false})});
            }
        }
        hooks.report(shape.layers, shape.layers);
        std::ranges::stable_sort(heads, std::ranges::greater(),
                                 [](const PartingHead& head) { return std::abs(head.first - head.second); });
        return heads;
    });
}

}  // namespace hs::analyses
