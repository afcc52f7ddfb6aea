#include "engine/run/head_gradients_tensors.h"

#include "engine/run/layer_ablation_tensors.h"

namespace hs::engine {
namespace {

/// A copy at which gradients end, whatever mode the given tensor was made in.
at::Tensor leaf(const at::Tensor& tensor)
{
    return tensor.clone().requires_grad_();
}

class GradientPass {
public:
    GradientPass(const RunMemory& memory, const RunRequest& run)
        : m_memory(memory), m_run(run), m_spec(run.model->spec()), m_decoder(*run.model, run.tokens)
    {
    }

    /// With respect to the last residual. [query, hidden]
    at::Tensor ofLogits(std::int64_t target, std::optional<std::int64_t> versus) const
    {
        const at::Tensor residual = leaf(m_memory.residual(m_spec.layers));
        const std::int64_t position = m_run.capture.position.value_or(static_cast<int>(residual.size(0)) - 1);
        const auto logitOf = [&](std::int64_t token) {
            const at::Tensor tokens = at::full({1}, token, at::kLong).to(residual.device());
            return m_decoder.logitsOf(residual.narrow(0, position, 1), tokens).sum();
        };
        at::Tensor metric = logitOf(target);
        if (versus)
            metric = metric - logitOf(*versus);
        metric.backward();
        return residual.grad();
    }

    /// With respect to a layer's z, [query, head, head size]; turns `gradient`, with respect to the residual
    /// after the layer, into that with respect to the one before.
    at::Tensor throughLayer(int layer, at::Tensor& gradient) const
    {
        const at::Tensor residual = leaf(m_memory.residual(layer));
        const Projections projections = m_decoder.project(layer, residual);
        LayerAblation ablation(m_spec, layer, {&m_run.ablations, 1}, {0, residual.size(0)});
        const at::Tensor z = attend(projections, m_decoder.hiddenCells(layer), m_run.gate,
                                    [&](const PatternChunk& chunk) { ablation.take(chunk); });
        ablation.apply(z, projections.values);
        const at::Tensor nudge = leaf(at::zeros_like(z));
        m_decoder.finishLayer(layer, residual, z + nudge).backward(gradient);
        gradient = residual.grad();
        return nudge.grad();
    }

private:
    const RunMemory& m_memory;
    const RunRequest& m_run;
    const model::ArchSpec& m_spec;
    Decoder m_decoder;
};

}  // namespace

std::shared_ptr<const HeadOutputs> headGradients(RunMemory& memory, const RunRequest& run,
                                                 std::int64_t target, std::optional<std::int64_t> versus,
                                                 const Hooks& hooks)
{
    const int layers = run.model->spec().layers;
    {
        const c10::InferenceMode noGradients;
        memory.advance(run, Decoder(*run.model, run.tokens), layers, hooks);
    }
    const c10::InferenceMode withGradients(false);
    const GradientPass pass(memory, run);
    at::Tensor gradient = pass.ofLogits(target, versus);
    std::vector<HeadOutputs::Layer> gradients(static_cast<std::size_t>(layers));
    for (int layer = layers - 1; layer >= 0; --layer) {
        hooks.throwIfCancelled();
        gradients[layer].z = pass.throughLayer(layer, gradient);
    }
    return std::make_shared<const HeadOutputs>(run, std::move(gradients));
}

}  // namespace hs::engine
