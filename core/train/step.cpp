#include "train/step_tensors.h"

#include <torch/csrc/autograd/autograd.h>

namespace hs::train {

TrainingStep::TrainingStep(const StepSetup& setup, TrainingVectors& vectors)
    : m_setup(setup), m_vectors(vectors), m_scalars(vectors.weights.device()),
      m_recorder(setup.spec, vectors.weights.device(),
                 setup.operations == Operations::Fused && canFuseAttention(setup.spec),
                 [this](const BatchTensors& batch, const engine::DecoderFrame& frame) {
                     return update(batch, frame);
                 })
{
}

StepReport TrainingStep::run(const Batch& batch, std::int64_t step, double price)
{
    m_scalars.set(m_setup.options, step, price);
    return read(m_recorder.run(BatchTensors(batch, m_setup.groups, m_vectors.weights.device())));
}

/// One step; returns its report as one tensor, in the order in which `read` unpacks it.
at::Tensor TrainingStep::update(const BatchTensors& batch, const engine::DecoderFrame& frame)
{
    const at::Tensor weights = m_vectors.weights.detach().to(m_setup.type).requires_grad_();
    const Losses losses = this->losses(weights, batch, frame);
    const at::Tensor gradient = torch::autograd::grad({losses.loss}, {weights}).front();
    const c10::NoGradGuard updating;
    const at::Tensor norm =
        descend(m_vectors, gradient, m_setup.trainable.matrixSize(), m_setup.options, m_scalars);
    std::vector<at::Tensor> report = {losses.loss.detach(), norm, losses.expectedDensity.detach(),
                                      losses.density};
    for (at::Tensor& number : report)
        number = number.view({1});
    report.push_back(losses.crossEntropy);
    if (losses.excess.defined())
        report.push_back(losses.excess);
    return at::cat(report);
}

Losses TrainingStep::losses(const at::Tensor& weights, const BatchTensors& batch,
                            const engine::DecoderFrame& frame) const
{
    at::Tensor wanted;
    if (m_setup.teacher) {
        const c10::NoGradGuard fixed;
        wanted =
            forward(m_setup.spec, *m_setup.teacher, batch, frame, std::nullopt, m_setup.operations).logits;
    }
    std::optional<TrainingGate> gate;
    if (const auto& sparsity = m_setup.options.sparsity)
        gate = TrainingGate{sparsity->isSampled, m_scalars.bias(), m_scalars.seed(), 0};
    const Forward run = forward(m_setup.spec, RunWeights(m_setup.trainable, weights, m_setup.recomputes),
                                batch, frame, gate, m_setup.operations);
    return lossesOf({run, wanted}, batch, m_setup.options, m_scalars.price(), m_setup.operations);
}

StepReport TrainingStep::read(const at::Tensor& report) const
{
    const at::Tensor onHost = report.to(at::kCPU);
    const float* at = onHost.data_ptr<float>();
    StepReport result;
    result.loss = *at++;
    result.gradientNorm = *at++;
    result.expectedDensity = *at++;
    result.density = *at++;
    result.crossEntropy.assign(at, at + m_setup.groups);
    if (onHost.numel() > 4 + m_setup.groups)
        result.excess.assign(at + m_setup.groups, at + 2 * m_setup.groups);
    return result;
}

}  // namespace hs::train
