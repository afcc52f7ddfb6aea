#include "train/step_tensors.h"

#include "train/silent_heads_tensors.h"

#include <torch/csrc/autograd/autograd.h>

namespace hs::train {

TrainingStep::TrainingStep(const StepSetup& setup, TrainingVectors& vectors)
    : m_setup(setup), m_vectors(vectors), m_scalars(vectors.weights.device()),
      // Not recorded with several workers: a replayed sum could not say that one of them was lost.
      m_recorder(setup.spec, vectors.weights.device(),
                 setup.operations == Operations::Fused && canFuseAttention(setup.spec) &&
                     !setup.workers->isGroup(),
                 [this](const BatchTensors& batch, const engine::DecoderFrame& frame) {
                     return update(m_setup.workers->isGroup() ? slopeTogether(batch, frame)
                                                              : slopeAlone(batch, frame));
                 })
{
    if (setup.options.sparsity)
        m_silent = silentHeads(setup.spec, setup.trainable, vectors.weights);
}

StepReport TrainingStep::run(const Batch& batch, std::int64_t step, double price)
{
    const at::Device device = m_vectors.weights.device();
    const RowRange share = m_setup.workers->shareOf(batch.rows);
    m_scalars.set(m_setup.options, step, price, share.first);
    if (!m_setup.workers->isGroup())
        return read(m_recorder.run(BatchTensors(batch, m_setup.groups, device)));
    if (share.count > 0)
        return read(m_recorder.run(BatchTensors(batch, share, m_setup.groups, device)));
    const std::int64_t sums = m_setup.options.sparsity ? 3 + 2 * m_setup.groups : 1 + m_setup.groups;
    SharedGradient gradient = sharedGradient();
    return read(update(summed(gradient, at::zeros({sums}, m_vectors.weights.options()))));
}

/// Makes the step; returns its report as one tensor, in the order in which `read` unpacks it.
at::Tensor TrainingStep::update(const Slope& slope)
{
    const c10::NoGradGuard updating;
    silence(m_setup.trainable, slope.gradient, m_silent);
    const at::Tensor norm =
        descend(m_vectors, slope.gradient, m_setup.trainable.matrixSize(), m_setup.options, m_scalars);
    return at::cat({norm.view({1}), slope.sums});
}

TrainingStep::Slope TrainingStep::slopeAlone(const BatchTensors& batch,
                                             const engine::DecoderFrame& frame) const
{
    const at::Tensor weights = m_vectors.weights.detach().to(m_setup.type).requires_grad_();
    const Losses losses = this->losses({m_setup.trainable, weights, m_setup.recomputes}, batch, frame);
    return {sumsOf(losses), torch::autograd::grad({losses.loss}, {weights}).front()};
}

TrainingStep::Slope TrainingStep::slopeTogether(const BatchTensors& batch,
                                                const engine::DecoderFrame& frame) const
{
    SharedGradient gradient = sharedGradient();
    const Losses losses =
        this->losses({m_setup.trainable, gradient.pieces(), m_setup.recomputes}, batch, frame);
    torch::autograd::backward({losses.loss}, {});
    return summed(gradient, sumsOf(losses));
}

SharedGradient TrainingStep::sharedGradient() const
{
    return SharedGradient(*m_setup.workers, m_setup.trainable, m_vectors.weights, m_setup.type);
}

TrainingStep::Slope TrainingStep::summed(SharedGradient& gradient, const at::Tensor& sums) const
{
    Slope slope{sums, gradient.summed()};
    m_setup.workers->sum(slope.sums);
    return slope;
}

Losses TrainingStep::losses(const RunWeights& weights, const BatchTensors& batch,
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
        gate = TrainingGate{sparsity->isSampled, m_scalars.bias(), m_scalars.noise(), 0};
    const Forward run = forward(m_setup.spec, weights, batch, frame, gate, m_setup.operations);
    return lossesOf({run, wanted}, batch, m_setup.options, m_scalars.price(), m_setup.operations);
}

/// What adds up over workers.
at::Tensor TrainingStep::sumsOf(const Losses& losses) const
{
    std::vector<at::Tensor> sums = {losses.loss.detach().view({1}), losses.crossEntropy};
    if (m_setup.options.sparsity)
        sums.insert(sums.end(),
                    {losses.expectedDensity.detach().view({1}), losses.density.view({1}), losses.excess});
    return at::cat(sums);
}

StepReport TrainingStep::read(const at::Tensor& report) const
{
    const at::Tensor onHost = report.to(at::kCPU);
    const float* at = onHost.data_ptr<float>();
    StepReport result;
    result.gradientNorm = *at++;
    result.loss = *at++;
    result.crossEntropy.assign(at, at + m_setup.groups);
    at += m_setup.groups;
    if (m_setup.options.sparsity) {
        result.expectedDensity = *at++;
        result.density = *at++;
        result.excess.assign(at, at + m_setup.groups);
    }
    return result;
}

}  // namespace hs::train
