#include "engine/run/paths_tensors.h"

#include "engine/run/gradient_pass_tensors.h"
#include "engine/run/layer_heads_tensors.h"

#include <algorithm>

namespace hs::engine {
namespace {

constexpr std::int64_t kMostLineRows = 2048;  // that go through the layers side by side

/// A point of the unit interval and its weight in an integral over it.
struct LineNode {
    double at = 0;
    double weight = 0;
};

/// Gauss's rule of three points: exact where the gradient is a polynomial of degree five.
constexpr double kOuter = 0.3872983346207417;  // sqrt(3 / 5) / 2
constexpr std::array<LineNode, 3> kLineNodes = {
    {{0.5 - kOuter, 5.0 / 18}, {0.5, 8.0 / 18}, {0.5 + kOuter, 5.0 / 18}}};

/// One head somewhere between the run and the source.
struct LinePoint {
    int head = 0;
    LineNode node;
};

/// Gradients of the logit at some points of a layer, side by side.
class LineGradients {
public:
    LineGradients(const RunMemory& memory, const PathRequest& request, const PathResponses& responses,
                  int layer, std::span<const LinePoint> points)
        : m_request(request), m_layer(layer), m_points(points),
          m_count(static_cast<std::int64_t>(points.size())),
          m_decoder(responses.decoder().excerpt(m_count, 0, responses.z(layer).size(0)))
    {
        const c10::InferenceMode noGradients;
        const at::Tensor& z = responses.z(layer);
        m_outputs = z.unsqueeze(0).repeat({m_count, 1, 1, 1});
        for (std::int64_t point = 0; point < m_count; ++point) {
            const auto& [head, node] = points[point];
            const at::Tensor way = request.source->z(layer).select(1, head) - z.select(1, head);
            m_outputs[point].select(1, head).add_(way, node.at);
        }
        m_outputs = m_outputs.flatten(0, 1);
        m_residual = memory.residual(layer).repeat({m_count, 1});
    }

    /// Adds what the points contribute to the integrals. sum: [query, head, head size]
    void addTo(at::Tensor sum, const Hooks& hooks)
    {
        const int layers = m_request.run.model->spec().layers;
        std::vector<at::Tensor> streams(static_cast<std::size_t>(layers) + 1);  // that enter each layer
        {
            const c10::InferenceMode noGradients;
            streams[m_layer + 1] = layerResult(m_decoder, m_request.run, m_layer, m_residual, m_outputs);
            for (int layer = m_layer + 1; layer < layers; ++layer) {
                hooks.throwIfCancelled();
                streams[layer + 1] =
                    layerResult(m_decoder, m_request.run, layer, streams[layer],
                                layerHeads(m_decoder, m_request.run, layer, streams[layer]).z);
            }
        }
        const GradientPass pass(m_request.run, m_decoder, [&](int layer) { return streams[layer]; });
        at::Tensor gradient = pass.ofLogits(m_request.target, m_request.versus);
        for (int layer = layers - 1; layer > m_layer; --layer) {
            hooks.throwIfCancelled();
            pass.throughLayer(layer, gradient);
        }
        const at::Tensor z = leaf(m_outputs);
        layerResult(m_decoder, m_request.run, m_layer, m_residual.clone(), z).backward(gradient);
        const at::Tensor ofPoints = z.grad().view({m_count, sum.size(0), sum.size(1), sum.size(2)});
        for (std::int64_t point = 0; point < m_count; ++point) {
            const auto& [head, node] = m_points[point];
            sum.select(1, head).add_(ofPoints[point].select(1, head), node.weight);
        }
    }

private:
    const PathRequest& m_request;
    int m_layer;
    std::span<const LinePoint> m_points;
    std::int64_t m_count;
    Decoder m_decoder;
    at::Tensor m_outputs;   // [point * query, head, head size]
    at::Tensor m_residual;  // [point * query, hidden]
};

}  // namespace

at::Tensor integratedGradients(const RunMemory& memory, const PathRequest& request,
                               const PathResponses& responses, int layer, const Hooks& hooks)
{
    const c10::InferenceMode withGradients(false);
    std::vector<LinePoint> points;
    for (int head = 0; head < request.run.model->spec().heads; ++head)
        for (const LineNode& node : kLineNodes)
            points.push_back({head, node});
    const at::Tensor& z = responses.z(layer);
    const at::Tensor sum = at::zeros(z.sizes(), z.options());
    const auto atOnce = static_cast<std::size_t>(std::max<std::int64_t>(1, kMostLineRows / z.size(0)));
    for (std::span<const LinePoint> rest(points); !rest.empty();) {
        const std::span<const LinePoint> some = rest.first(std::min(rest.size(), atOnce));
        LineGradients(memory, request, responses, layer, some).addTo(sum, hooks);
        rest = rest.subspan(some.size());
    }
    return sum;
}

std::vector<double> estimatePaths(RunMemory& memory, const PathRequest& request, const Hooks& hooks)
{
    const PathResponses responses(memory, request, hooks);
    const int layers = request.run.model->spec().layers;
    std::vector<double> gains(request.paths.size(), 0);
    at::Tensor gradients;  // of the receiving layer
    int receiving = layers;
    const std::vector<PathGroup> groups = groupPaths(request, responses);
    for (std::size_t index = 0; index < groups.size(); ++index) {
        const PathGroup& group = groups[index];
        hooks.throwIfCancelled();
        hooks.report(static_cast<int>(index), static_cast<int>(groups.size()));
        if (group.to != receiving) {
            receiving = group.to;
            gradients = integratedGradients(memory, request, responses, receiving, hooks);
        }
        const c10::InferenceMode noGradients;
        const at::Tensor written = responses.written(group.from, group.senders);
        if (receiving == layers) {
            const double baseline = responses.logits(at::zeros_like(written.narrow(0, 0, 1))).front();
            const std::vector<double> logits = responses.logits(written);
            for (const auto& [path, sender] : group.members)
                gains[path] = logits[sender] - baseline;
            continue;
        }
        std::array<at::Tensor, 3> ofInputs;  // [sender, head] double each
        std::ranges::transform(responses.outputs(receiving, written), ofInputs.begin(),
                               [&](const at::Tensor& outputs) {
                                   return ((outputs - responses.z(receiving)).to(at::kDouble) * gradients)
                                       .sum(at::IntArrayRef({1, 3}))
                                       .to(at::kCPU)
                                       .contiguous();
                               });
        for (const auto& [path, sender] : group.members) {
            const PathEnd& to = request.paths[path].to;
            const at::Tensor& ofInput = ofInputs[static_cast<std::size_t>(to.input)];
            gains[path] =
                ofInput
                    .data_ptr<double>()[static_cast<std::int64_t>(sender) * ofInput.size(1) + to.head.head];
        }
    }
    hooks.report(static_cast<int>(groups.size()), static_cast<int>(groups.size()));
    return gains;
}

}  // namespace hs::engine
