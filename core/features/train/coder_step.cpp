#include "features/train/coder_step_tensors.h"

#include <torch/csrc/autograd/autograd.h>

#include <algorithm>
#include <limits>

namespace hs::features {
namespace {

constexpr std::int64_t kCountEvery =
    25;  // steps between counts of dead features, for which the device is waited
constexpr std::int64_t kAuxiliaryTokens = 4;  // one in so many is enough to bring dead features back

/// A feature is dead if it has not fired for a twentieth of the training.
std::int64_t deadAfter(const train::Options& options)
{
    return std::clamp<std::int64_t>(options.steps / 20, 20, 1000);
}

at::Tensor squared(const std::vector<at::Tensor>& rests, const at::Tensor& variances)
{
    std::vector<at::Tensor> sums;
    for (const at::Tensor& rest : rests)
        sums.push_back(rest.square().sum(1).mean());
    return at::stack(sums) / variances;  // [layer]
}

}  // namespace

CoderStep::CoderStep(const CoderParameters& parameters, const CoderOptions& coders,
                     train::TrainingVectors& vectors, const at::Tensor& record)
    : m_parameters(parameters), m_coders(coders), m_vectors(vectors), m_record(parameters, record),
      m_scalars(record.device()), m_hasDead(m_record.dead.item<float>() > 0),
      m_sums(at::zeros({3}, record.options()))
{
}

void CoderStep::run(const MlpStreams& streams, const train::Options& options, std::int64_t step)
{
    const at::Tensor weights = m_vectors.weights.detach().requires_grad_();
    const Loss loss = lossOf(streams, weights, deadAfter(options));
    const at::Tensor gradient = torch::autograd::grad({loss.loss}, {weights}).front();
    const c10::NoGradGuard updating;
    m_scalars.set(options, step, 0);
    const at::Tensor norm = train::descend(m_vectors, gradient, /*matrixSize=*/0, options, m_scalars);
    m_record.idleSteps.copy_(at::where(loss.fired > 0, at::zeros_like(loss.fired), m_record.idleSteps + 1));
    if (step % kCountEvery == 0) {
        m_record.dead.copy_((m_record.idleSteps > deadAfter(options)).sum());
        m_hasDead = m_record.dead.item<float>() > 0;
    }
    const auto tokens = static_cast<double>(streams.inputs.front().size(0));
    const at::Tensor l0 = loss.fired.sum() / (tokens * m_parameters.layers());
    m_sums += at::stack({loss.fvu.detach(), l0, norm});
    ++m_summed;
}

CoderStepMeans CoderStep::takeMeans()
{
    const at::Tensor means = (m_sums / std::max<std::int64_t>(1, m_summed)).to(at::kCPU);
    m_sums.zero_();
    m_summed = 0;
    const float* const mean = means.data_ptr<float>();
    return {mean[0], mean[1], mean[2]};
}

CoderStep::Loss CoderStep::lossOf(const MlpStreams& streams, const at::Tensor& weights,
                                  std::int64_t deadAfter) const
{
    const std::vector<TrainedLayer> layers = m_parameters.unpack(weights);
    std::vector<at::Tensor> preactivations;
    std::vector<at::Tensor> fired;
    std::vector<at::Tensor> outputs(layers.size());
    for (int layer = 0; layer < m_parameters.layers(); ++layer) {
        const TrainedLayer& trained = layers[layer];
        preactivations.push_back(at::linear(streams.inputs[layer] * m_record.inputScales[layer],
                                            trained.encoder, trained.encoderBias));
        const KeptFeatures kept = m_coders.firing == Firing::TopK
                                      ? keepOfToken(preactivations.back(), m_coders.k)
                                      : keepOfBatch(preactivations.back(), m_coders.k);
        addTo(outputs, layer, decode(kept, trained.decoder));
        outputs[layer] = outputs[layer] + trained.decoderBias;
        fired.push_back(at::zeros({m_parameters.features()}, weights.options())
                            .index_add(0, kept.features, kept.values.detach().ne(0).to(at::kFloat)));
    }
    std::vector<at::Tensor> rests;
    for (std::size_t layer = 0; layer < layers.size(); ++layer)
        rests.push_back(streams.outputs[layer] * m_record.outputScales[layer] - outputs[layer]);
    const at::Tensor fvu = squared(rests, m_record.variances);
    at::Tensor loss = fvu.sum();
    if (m_hasDead && m_coders.auxiliary > 0)
        loss = loss + m_coders.auxiliary *
                          auxiliaryLoss(layers, preactivations, rests, m_record.idleSteps > deadAfter);
    return {loss, fvu.mean(), at::stack(fired)};
}

/// Dead features alone explain what the others leave, without the biases: so they learn where they are needed.
at::Tensor CoderStep::auxiliaryLoss(const std::vector<TrainedLayer>& layers,
                                    const std::vector<at::Tensor>& preactivations,
                                    const std::vector<at::Tensor>& rests, const at::Tensor& isDead) const
{
    const std::int64_t most = std::min(m_parameters.features(), std::max(1, m_parameters.width() / 2));
    const auto sampled = [](const at::Tensor& tokens) {
        return tokens.slice(0, 0, tokens.size(0), kAuxiliaryTokens);
    };
    std::vector<at::Tensor> outputs(layers.size());
    for (int layer = 0; layer < m_parameters.layers(); ++layer) {
        const at::Tensor ofDead =
            sampled(preactivations[layer])
                .masked_fill(isDead[layer].logical_not(), -std::numeric_limits<float>::infinity());
        KeptFeatures kept = keepOfToken(ofDead, most);
        kept.values = at::relu(kept.values);
        addTo(outputs, layer, decode(kept, layers[layer].decoder));
    }
    std::vector<at::Tensor> left;
    for (std::size_t layer = 0; layer < layers.size(); ++layer)
        left.push_back(sampled(rests[layer].detach()) - outputs[layer]);
    const at::Tensor share = isDead.sum(1).to(at::kFloat).div(static_cast<double>(most)).clamp_max(1).mean();
    return share * squared(left, m_record.variances).sum();
}

/// Adds what a layer's features write to the outputs of all layers that they write to.
void CoderStep::addTo(std::vector<at::Tensor>& outputs, int source, const at::Tensor& decoded) const
{
    const std::vector<at::Tensor> parts = decoded.split(m_parameters.width(), 1);
    for (std::size_t target = 0; target < parts.size(); ++target) {
        at::Tensor& output = outputs[source + target];
        output = output.defined() ? output + parts[target] : parts[target];
    }
}

}  // namespace hs::features
