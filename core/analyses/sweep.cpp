#include "analyses/sweep.h"

#include "base/failure.h"
#include "base/text_format.h"
#include "engine/load/model.h"

namespace hs::analyses {
namespace {

engine::Ablations ablationOf(const SweepUnit& unit, SweepUnits kind, const HeadShape& shape,
                             const engine::HeadAblation& ablation)
{
    engine::Ablations ablations;
    for (const HeadId head : headsOf(unit, kind, shape))
        ablations[head] = ablation;
    return ablations;
}

engine::HeadAblation ablationFor(engine::Engine& engine, const SweepRequest& request, const Hooks& hooks)
{
    if (request.method == SweepMethod::Zero)
        return {engine::HeadAblation::Kind::Zero, {}};
    if (request.method == SweepMethod::Mean)
        return {engine::HeadAblation::Kind::Mean, {}};
    if (request.source.size() != request.run.tokens.size())
        fail(ErrorCode::BadRequest, "The prompt has " +
                                        formatCount(static_cast<std::int64_t>(request.run.tokens.size())) +
                                        " tokens and the one to take outputs from " +
                                        formatCount(static_cast<std::int64_t>(request.source.size())) +
                                        "; change words so that both have the same number.");
    engine::RunRequest other = request.run;
    other.tokens = request.source;
    other.ablations.clear();
    other.writes.reset();
    other.capture = {};
    other.capture.loss = false;
    other.capture.headOutputs = true;
    return {engine::HeadAblation::Kind::Replace, orThrow(engine.run(other, {{}, hooks.stop})).headOutputs};
}

engine::VariantReading change(const engine::VariantReading& from, const engine::VariantReading& to)
{
    return {to.logit - from.logit, to.logitDifference - from.logitDifference,
            to.probability - from.probability, to.loss - from.loss, to.divergence - from.divergence};
}

}  // namespace

Result<Sweep> sweep(engine::Engine& engine, const SweepRequest& request, const Hooks& hooks,
                    const SweepNews& news)
{
    return guarded([&] {
        if (!request.run.model)
            fail(ErrorCode::BadRequest, "There is no model to run; open one first.");
        const HeadShape shape = request.run.model->spec().headShape();
        const engine::HeadAblation ablation = ablationFor(engine, request, hooks);
        Sweep result;
        result.shape = shape;
        result.kind = request.units;
        result.method = request.method;
        result.units = unitsOf(request.units, shape);
        engine::VariantRequest variants{request.run, {}, request.target, request.versus};
        variants.loss = request.loss;
        variants.run.capture = {};
        variants.run.capture.tileSide = 1;
        variants.run.capture.position = request.run.capture.position;
        for (const SweepUnit& unit : result.units)
            variants.variants.push_back(ablationOf(unit, request.units, shape, ablation));
        const auto take = [&](const engine::VariantResult& readings) {
            result.baseline = readings.baseline;
            result.changes.clear();
            for (const engine::VariantReading& reading : readings.variants)
                result.changes.push_back(change(readings.baseline, reading));
            if (news)
                news(result);
        };
        orThrow(engine.runVariants(variants, hooks, take));
        return result;
    });
}

}  // namespace hs::analyses
