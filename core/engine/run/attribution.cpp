#include "engine/run/attribution_tensors.h"

#include "base/failure.h"
#include "engine/load/weights_tensors.h"
#include "engine/run/frozen_norm_tensors.h"
#include "engine/run/layer_heads_tensors.h"
#include "engine/run/promoted_tokens_tensors.h"
#include "engine/run/request_check.h"

#include <algorithm>
#include <cmath>

namespace hs::engine {
namespace {

constexpr int kWords = 6;  // tokens that an MLP pushes, and that it holds down

at::Tensor wide(const at::Tensor& tensor)
{
    return tensor.to(at::kDouble);
}

double along(const at::Tensor& direction, const at::Tensor& vector)
{
    return at::dot(wide(direction), wide(vector)).item<double>();
}

/// A linear reading of a vector x: direction · x + constant.
struct Reading {
    at::Tensor direction;  // double
    double constant = 0;
};

/// A direction after a norm, as a reading of the norm's input; mean and scale are frozen at those of
/// `input`.
Reading throughFrozenNorm(const model::ArchSpec& spec, const at::Tensor& direction, const at::Tensor& input,
                          const at::Tensor& scale, const at::Tensor& bias)
{
    Reading reading{scale.defined() ? direction * wide(scale) : direction};
    if (spec.norm == model::NormKind::LayerNorm)
        reading.direction = reading.direction - reading.direction.mean();
    reading.direction = reading.direction / normScale(spec, input);
    if (bias.defined())
        reading.constant = along(direction, bias);
    return reading;
}

/// Adds up the parts layer by layer, each read along the target's direction in the last residual.
class Attributor {
public:
    Attributor(RunMemory& memory, const RunRequest& run, const Hooks& hooks)
        : m_memory(memory), m_run(run), m_hooks(hooks), m_spec(run.model->spec()), m_weights(run),
          m_decoder(run, run.tokens), m_position(*run.capture.position)
    {
        m_result.shape = m_spec.headShape();
        m_result.position = m_position;
    }

    Attribution finish(std::int64_t target, std::optional<std::int64_t> versus)
    {
        const int layers = m_spec.layers;
        m_memory.advance(m_run, m_decoder, layers, m_hooks);
        readLogit(target, versus);
        at::Tensor unembedding = wide(m_weights[model::Role::Unembedding][target]);
        if (versus)
            unembedding = unembedding - wide(m_weights[model::Role::Unembedding][*versus]);
        const Reading final =
            throughFrozenNorm(m_spec, unembedding, rowOf(layers), m_weights[model::Role::FinalNormWeight],
                              m_weights[model::Role::FinalNormBias]);
        m_direction = final.direction;

        add({AttributionPart::Kind::Embedding, 0, 0, along(directionAt(0), rowOf(0))});
        for (int layer = 0; layer < layers; ++layer) {
            m_hooks.throwIfCancelled();
            addLayer(layer);
        }
        m_result.mlps = promotedByMlps();
        if (m_weights[model::Role::FinalNormBias].defined())
            add({AttributionPart::Kind::FinalBias, 0, 0, final.constant});
        std::stable_sort(m_result.edges.begin(), m_result.edges.end(),
                         [](const AttributionEdge& a, const AttributionEdge& b) {
                             return std::abs(a.value) > std::abs(b.value);
                         });
        m_hooks.report(layers, layers);
        return std::move(m_result);
    }

private:
    at::Tensor rowOf(int layer) const { return m_memory.residual(layer)[m_position]; }  // [hidden]

    /// The direction that reads the last residual, on a layer's device.
    at::Tensor directionAt(int layer) const { return m_direction.to(m_memory.residual(layer).device()); }

    void add(const AttributionPart& part) { m_result.parts.push_back(part); }

    void readLogit(std::int64_t target, std::optional<std::int64_t> versus)
    {
        const at::Tensor row = rowOf(m_spec.layers).unsqueeze(0);
        const at::Tensor logits = m_decoder.logits(row)[0].to(at::kCPU);
        // A soft cap is no linear map, so that nothing could add up to what it leaves.
        const at::Tensor summed =
            m_spec.logitCap ? m_decoder.uncappedLogits(row)[0].to(at::kCPU, at::kFloat) : logits;
        m_result.logit = summed[target].item<double>();
        if (versus)
            m_result.logit -= summed[*versus].item<double>();
        m_result.isBeforeCap = m_spec.logitCap.has_value();
        m_result.probability = at::softmax(logits, 0, at::kDouble)[target].item<double>();
    }

    void addLayer(int layer)
    {
        const at::Tensor& residual = m_memory.residual(layer);
        at::Tensor weights =
            at::empty({m_spec.heads, residual.size(0)}, residual.options().dtype(at::kFloat));
        const auto [projections, z] =
            layerHeads(m_decoder, m_run, layer, residual, [&](const PatternChunk& chunk) {
                weights.narrow(0, chunk.firstHead, chunk.weights.size(0))
                    .copy_(chunk.weights.select(1, m_position));
            });
        const at::Tensor row = z[m_position];  // [head, head size]

        const Reading attention = readingOfAttention(layer, row);
        const at::Tensor perHead =
            at::mv(wide(m_weights.at(layer, model::Role::OutWeight)).t(), attention.direction)
                .view({m_spec.heads, m_spec.headDim});
        addHeads(layer, (wide(row) * perHead).sum(1));
        addEdges(layer, weights, projections.values, perHead);
        if (hasAttentionBias(layer))
            add({AttributionPart::Kind::AttentionBias, layer, 0, attention.constant});
        const at::Tensor written = mlpRow(m_decoder, m_run, layer, residual, z, m_position);
        add({AttributionPart::Kind::Mlp, layer, 0, along(directionAt(layer), written)});
        m_written.push_back(wide(written).to(m_direction.device()));
    }

    /// By what each MLP writes, through the final norm with its scale frozen. [layer]
    std::vector<PromotedTokens> promotedByMlps() const
    {
        const at::Tensor& last = m_memory.residual(m_spec.layers);
        const at::Tensor rows =
            unscaledNorm(m_spec, at::stack(m_written), m_weights[model::Role::FinalNormWeight]) /
            normScale(m_spec, last[m_position]);
        return promotedTokens(m_decoder.unembedNormed(rows.to(last.options())), kWords);
    }

    bool hasAttentionBias(int layer) const
    {
        return m_weights.at(layer, model::Role::OutBias).defined() ||
               m_weights.at(layer, model::Role::AttentionAfterNormBias).defined();
    }

    /// How the sum of what the heads write, before bias and norm, is read in the last residual.
    Reading readingOfAttention(int layer, const at::Tensor& row) const
    {
        const at::Tensor bias = m_weights.at(layer, model::Role::OutBias);
        Reading reading{directionAt(layer)};
        if (m_spec.normAfter) {
            at::Tensor sum = at::mv(wide(m_weights.at(layer, model::Role::OutWeight)), wide(row).flatten());
            if (bias.defined())
                sum = sum + wide(bias);
            reading = throughFrozenNorm(m_spec, reading.direction, sum,
                                        m_weights.at(layer, model::Role::AttentionAfterNormWeight),
                                        m_weights.at(layer, model::Role::AttentionAfterNormBias));
        }
        if (bias.defined())
            reading.constant += along(reading.direction, bias);
        return reading;
    }

    void addHeads(int layer, const at::Tensor& values)  // [head]
    {
        const at::Tensor onHost = values.to(at::kCPU).contiguous();
        const double* const data = onHost.data_ptr<double>();
        for (int head = 0; head < m_spec.heads; ++head) {
            m_result.heads.push_back(data[head]);
            add({AttributionPart::Kind::Head, layer, head, data[head]});
        }
    }

    void addEdges(int layer, const at::Tensor& weights,  // [head, key]
                  const at::Tensor& values,              // [key/value head, key, head size]
                  const at::Tensor& perHead)             // [head, head size]
    {
        const std::int64_t perGroup = m_spec.heads / m_spec.kvHeads;
        const at::Tensor grouped = perHead.view({m_spec.kvHeads, perGroup, m_spec.headDim});
        const at::Tensor read =
            at::bmm(grouped, wide(values).transpose(1, 2)).view_as(weights);  // [head, key]
        const at::Tensor onHost = (wide(weights) * read).to(at::kCPU).contiguous();
        const double* const data = onHost.data_ptr<double>();
        const std::int64_t keys = weights.size(1);
        for (int head = 0; head < m_spec.heads; ++head) {
            if (m_run.ablations.contains({layer, head}))
                continue;
            for (std::int64_t key = 0; key < keys; ++key)
                if (const double value = data[head * keys + key]; value != 0)
                    m_result.edges.push_back({{layer, head}, static_cast<int>(key), value});
        }
    }

    RunMemory& m_memory;
    const RunRequest& m_run;
    const Hooks& m_hooks;
    const model::ArchSpec& m_spec;
    AdaptedWeights m_weights;
    Decoder m_decoder;
    int m_position;
    at::Tensor m_direction;             // [hidden] double: reads the last residual
    std::vector<at::Tensor> m_written;  // [layer] of [hidden] double, by the MLPs
    Attribution m_result;
};

}  // namespace

Attribution attributeRun(RunMemory& memory, const AttributionRequest& request, const Hooks& hooks)
{
    RunRequest run = request.run;
    const int last = static_cast<int>(run.tokens.size()) - 1;
    run.capture.position = request.position == -1 ? std::max(last, 0) : request.position;
    run.capture.watched = {request.target};
    if (request.versus)
        run.capture.watched.push_back(*request.versus);
    checkRequest(run);
    checkTargets(request.target, request.versus);
    const c10::InferenceMode noGradients;
    return Attributor(memory, run, hooks).finish(request.target, request.versus);
}

}  // namespace hs::engine
