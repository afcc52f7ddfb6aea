#include "base/failure.h"
#include "engine/run/decoder_tensors.h"
#include "engine/run/layer_ablation_tensors.h"
#include "engine/run/run_memory_tensors.h"
#include "engine/run/stream_writes_tensors.h"
#include "features/effects/scaled_features_tensors.h"
#include "features/graph/readings_tensors.h"

#include <algorithm>

namespace hs::features {
namespace {

/// Adds up what readings change by when something is added to the MLPs' outputs.
class PredictedChanges : public CotangentVisitor {
public:
    PredictedChanges(const HeldRun& run, const ScaledOutputs& added, std::int64_t readings)
        : m_run(run), m_added(added), m_sums(at::zeros({readings}, at::kDouble))
    {
    }

    void atOutput(int layer, const at::Tensor& cotangents) override  // [reading, query, width]
    {
        const at::Tensor& added = m_added.layers[static_cast<std::size_t>(layer)];
        if (!added.defined())
            return;
        const at::Tensor seen = m_run.here(added.narrow(0, 0, cotangents.size(1)));
        m_sums.narrow(0, 0, cotangents.size(0))
            .add_((cotangents * seen).to(at::kDouble).sum(at::IntArrayRef{1, 2}).to(at::kCPU));
    }

    const at::Tensor& sums() const { return m_sums; }  // [reading] double

private:
    const HeldRun& m_run;
    const ScaledOutputs& m_added;
    at::Tensor m_sums;
};

/// Logits at a position of a run that writes, its patterns those of the held run. [vocabulary]
at::Tensor logitsWithPatterns(const HeldRun& run, const engine::RunRequest& request, int position)
{
    const model::ArchSpec& spec = run.spec();
    const engine::Decoder decoder(request, request.tokens);
    at::Tensor residual = decoder.embed();
    for (int layer = 0; layer < spec.layers; ++layer) {
        const at::Tensor values = decoder.project(layer, residual).values;
        const at::Tensor grouped =
            values.repeat_interleave(spec.heads / spec.kvHeads, 0);  // [head, key, head size]
        const at::Tensor patterns =
            run.layers[static_cast<std::size_t>(layer)].patterns.to(grouped.options());
        const at::Tensor z = at::bmm(patterns, grouped).transpose(0, 1).contiguous();
        engine::LayerAblation(spec, layer, {&request.ablations, 1}, {0, z.size(0)}).apply(z, values);
        residual = decoder.finishLayer(layer, residual, z,
                                       engine::mlpChange(layer, {&request.ablations, 1}, {0, z.size(0)}));
        engine::addWrites(request.writes, layer, residual, {0, residual.size(0)});
    }
    return decoder.uncappedLogits(residual.narrow(0, position, 1))[0].to(at::kCPU, at::kFloat);
}

/// The same with nothing held.
at::Tensor logitsOf(const engine::RunRequest& request, int position, const Hooks& hooks)
{
    engine::RunRequest run = request;
    run.capture = {};
    const engine::Decoder decoder(run, run.tokens);
    engine::RunMemory memory;
    memory.advance(run, decoder, run.model->spec().layers, {{}, hooks.stop});
    return decoder.uncappedLogits(memory.residual(run.model->spec().layers).narrow(0, position, 1))[0].to(
        at::kCPU, at::kFloat);
}

/// A logit less that of `versus`, or than the mean.
double readLogit(const at::Tensor& logits, std::int64_t token, std::optional<std::int64_t> versus)
{
    const double other =
        versus ? logits[*versus].item<double>() : logits.to(at::kDouble).mean().item<double>();
    return logits[token].item<double>() - other;
}

std::vector<std::int64_t> targetsOf(const GraphRequest& request, const at::Tensor& logits)  // [vocabulary]
{
    if (request.target)
        return {*request.target};
    const at::Tensor best =
        std::get<1>(logits.topk(std::min<std::int64_t>(request.options.logits, logits.size(0))));
    return {best.data_ptr<std::int64_t>(), best.data_ptr<std::int64_t>() + best.numel()};
}

ScaledEffects effectsOf(const GraphRequest& request, const std::vector<FeatureScale>& scales,
                        const Hooks& hooks)
{
    const c10::InferenceMode noGradients;
    const HeldRun run = holdRun(request, at::kFloat, hooks);
    const ScaledOutputs added = scaledOutputs(run, scales);
    const int position = request.position < 0 ? static_cast<int>(run.length()) - 1 : request.position;
    ScaledEffects effects{position, added.places, {}};
    const std::vector<std::int64_t> targets = targetsOf(request, run.logits[position]);
    std::vector<NodeId> nodes;
    for (const std::int64_t token : targets)
        nodes.push_back({GraphNode::Kind::Logit, 0, position, token});
    const TargetReadings readings = readingsOf(run, nodes, request.versus);

    PredictedChanges predicted(run, added, readings.readings.size());
    sweepBack(run, readings.readings, Paths::All, predicted);
    Entries entries{at::zeros_like(run.embedding), {}, {}};
    for (const at::Tensor& layer : added.layers) {
        entries.attention.push_back(at::zeros_like(run.embedding));
        entries.output.push_back(layer.defined() ? run.here(layer) : at::zeros_like(run.embedding));
    }
    const Carried carried = carryForward(run, entries, Paths::All);

    engine::RunRequest written = request.run;
    written.writes.reset();
    const at::Tensor plain = logitsOf(written, position, hooks);
    const at::Tensor plainFrozen = logitsWithPatterns(run, written, position);
    written.writes = writesOf(added);
    const at::Tensor free = logitsOf(written, position, hooks);
    const at::Tensor frozen = logitsWithPatterns(run, written, position);
    effects.logits.resize(targets.size());
    for (std::size_t reading = 0; reading < readings.order.size(); ++reading) {
        const std::int64_t token = targets[readings.order[reading]];
        const auto index = static_cast<std::int64_t>(reading);
        const Spot& spot = readings.readings.spots[reading];
        const auto change = [&](const at::Tensor& from, const at::Tensor& to) {
            return readLogit(to, token, request.versus) - readLogit(from, token, request.versus);
        };
        effects.logits[readings.order[reading]] = {
            token,
            plain[token].item<double>(),
            predicted.sums()[index].item<double>(),
            (carried.at(spot)[spot.position] * readings.readings.directions[index])
                .sum(at::kDouble)
                .item<double>(),
            change(plainFrozen, frozen),
            change(plain, free)};
    }
    return effects;
}

}  // namespace

Result<ScaledEffects> scaledEffects(const GraphRequest& request, const std::vector<FeatureScale>& scales,
                                    const Hooks& hooks)
{
    return guarded([&] { return effectsOf(request, scales, hooks); });
}

}  // namespace hs::features
