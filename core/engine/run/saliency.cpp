#include "engine/run/lenses_tensors.h"

#include "engine/run/gradient_pass_tensors.h"
#include "engine/run/layer_heads_tensors.h"

#include <numeric>

namespace hs::engine {
namespace {

/// The straight path from a prompt of baseline tokens to the prompt itself.
class SaliencyPath {
public:
    explicit SaliencyPath(const SaliencyRequest& request)
        : m_request(request), m_run(request.run), m_decoder(m_run, m_run.tokens),
          m_tokens(m_decoder.embedTokens()), m_positions(m_decoder.embed() - m_tokens),
          m_way(m_tokens - baseline())
    {
    }

    const at::Tensor& tokens() const { return m_tokens; }  // [query, hidden]
    const at::Tensor& way() const { return m_way; }        // [query, hidden]
    std::int64_t position() const
    {
        return m_run.capture.position.value_or(static_cast<int>(m_run.tokens.size()) - 1);
    }

    /// The streams that enter each layer, and the last one, at a point of the path.
    std::vector<at::Tensor> streamsAt(double share, const Hooks& hooks) const
    {
        const c10::InferenceMode noGradients;
        std::vector<at::Tensor> streams = {m_tokens - (1 - share) * m_way + m_positions};
        for (int layer = 0; layer < m_run.model->spec().layers; ++layer) {
            hooks.throwIfCancelled();
            const LayerHeads heads = layerHeads(m_decoder, m_run, layer, streams.back());
            streams.push_back(layerResult(m_decoder, m_run, layer, streams.back(), heads.z));
        }
        return streams;
    }

    double logit(const std::vector<at::Tensor>& streams) const
    {
        const c10::InferenceMode noGradients;
        return logitIn(m_decoder, streams.back().narrow(0, position(), 1), m_request.target, m_request.versus)
            .item<double>();
    }

    /// With respect to the embedding. [query, hidden]
    at::Tensor gradient(const std::vector<at::Tensor>& streams, const Hooks& hooks) const
    {
        const GradientPass pass(m_run, m_decoder, [&](int layer) { return streams[layer]; });
        at::Tensor gradient = pass.ofLogits(m_request.target, m_request.versus);
        for (int layer = m_run.model->spec().layers; layer-- > 0;) {
            hooks.throwIfCancelled();
            pass.throughLayer(layer, gradient);
        }
        return gradient;
    }

private:
    at::Tensor baseline() const  // [1, hidden]
    {
        const Model& model = *m_run.model;
        if (m_request.baseline)
            return Decoder(model, {&*m_request.baseline, 1}).embedTokens();
        const at::Tensor mean = model.weights()[model::Role::Embedding].mean(0, /*keepdim=*/true, at::kFloat);
        return (mean * model.spec().embeddingScale).to(m_tokens.options());
    }

    const SaliencyRequest& m_request;
    const RunRequest& m_run;
    Decoder m_decoder;
    at::Tensor m_tokens;
    at::Tensor m_positions;  // what learned positions add
    at::Tensor m_way;
};

/// Sums over the last axis. [query]
std::vector<double> rowSums(const at::Tensor& numbers)
{
    const at::Tensor sums = numbers.sum(-1, /*keepdim=*/false, at::kDouble).to(at::kCPU).contiguous();
    return {sums.data_ptr<double>(), sums.data_ptr<double>() + sums.numel()};
}

}  // namespace

double Saliency::error() const
{
    return std::accumulate(integrated.begin(), integrated.end(), 0.0) - (logit - baselineLogit);
}

Saliency saliencyOf(const SaliencyRequest& request, const Hooks& hooks)
{
    const c10::InferenceMode withGradients(false);
    const SaliencyPath path(request);
    Saliency saliency;
    saliency.position = static_cast<int>(path.position());
    saliency.baselineLogit = path.logit(path.streamsAt(0, hooks));
    const std::vector<at::Tensor> whole = path.streamsAt(1, hooks);
    saliency.logit = path.logit(whole);
    saliency.gradientTimesInput = rowSums(path.gradient(whole, hooks) * path.tokens());
    at::Tensor sum = at::zeros_like(path.way(), at::kDouble);
    for (int step = 0; step < request.steps; ++step) {
        hooks.report(step, request.steps);
        sum += path.gradient(path.streamsAt((step + 0.5) / request.steps, hooks), hooks);
    }
    hooks.report(request.steps, request.steps);
    saliency.integrated = rowSums(sum * path.way() / request.steps);
    return saliency;
}

}  // namespace hs::engine
