#include "train/step_tensors.h"

#include <torch/csrc/autograd/autograd.h>

namespace hs::train {

TrainingStep::TrainingStep(const model::ArchSpec& spec, const Options& options, at::ScalarType type,
                           int groups, TrainingVectors& vectors, const at::Tensor& teacher,
                           Operations operations, std::shared_ptr<const Workers> workers)
    : m_spec(spec), m_options(options), m_layout(spec), m_type(type), m_groups(groups), m_vectors(vectors),
      m_operations(operations), m_workers(std::move(workers)), m_scalars(vectors.weights.device()),
      // Not recorded with several workers: a replayed sum could not say that one of them was lost.
      m_recorder(spec, vectors.weights.device(),
                 operations == Operations::Fused && canFuseAttention(spec) && !m_workers->isGroup(),
                 [this](const BatchTensors& batch, const engine::DecoderFrame& frame) {
                     return update(m_workers->isGroup() ? slopeTogether(batch, frame)
                                                        : slopeAlone(batch, frame));
                 })
{
    if (teacher.defined())
        m_teacher = m_layout.unpack(teacher);
}

StepReport TrainingStep::run(const Batch& batch, std::int64_t step, double price)
{
    const at::Device device = m_vectors.weights.device();
    const RowRange share = m_workers->shareOf(batch.rows);
    m_scalars.set(m_options, step, price, share.first);
    if (!m_workers->isGroup())
        return read(m_recorder.run(BatchTensors(batch, m_groups, device)));
    if (share.count > 0)
        return read(m_recorder.run(BatchTensors(batch, share, m_groups, device)));
    const std::int64_t sums = m_options.sparsity ? 3 + 2 * m_groups : 1 + m_groups;
    SharedGradient gradient = sharedGradient();
    return read(update(summed(gradient, at::zeros({sums}, m_vectors.weights.options()))));
}

/// Makes the step; returns its report as one tensor, in the order in which `read` unpacks it.
at::Tensor TrainingStep::update(const Slope& slope)
{
    const c10::NoGradGuard updating;
    const at::Tensor norm = descend(m_vectors, slope.gradient, m_layout.matrixSize(), m_options, m_scalars);
    return at::cat({norm.view({1}), slope.sums});
}

TrainingStep::Slope TrainingStep::slopeAlone(const BatchTensors& batch,
                                             const engine::DecoderFrame& frame) const
{
    const at::Tensor weights = m_vectors.weights.detach().requires_grad_();
    const Losses losses = this->losses(m_layout.unpack(weights.to(m_type)), batch, frame);
    return {sumsOf(losses), torch::autograd::grad({losses.loss}, {weights}).front()};
}

TrainingStep::Slope TrainingStep::slopeTogether(const BatchTensors& batch,
                                                const engine::DecoderFrame& frame) const
{
    SharedGradient gradient = sharedGradient();
    const Losses losses = this->losses(gradient.weights(), batch, frame);
    torch::autograd::backward({losses.loss}, {});
    return summed(gradient, sumsOf(losses));
}

SharedGradient TrainingStep::sharedGradient() const
{
    return SharedGradient(*m_workers, m_vectors.weights, m_layout.matrixSize(), m_type,
                          [this](const at::Tensor& vector) { return m_layout.unpack(vector); });
}

TrainingStep::Slope TrainingStep::summed(SharedGradient& gradient, const at::Tensor& sums) const
{
    Slope slope{sums, gradient.summed()};
    m_workers->sum(slope.sums);
    return slope;
}

Losses TrainingStep::losses(const engine::ModelWeights& weights, const BatchTensors& batch,
                            const engine::DecoderFrame& frame) const
{
    at::Tensor wanted;
    if (!m_teacher.layers.empty()) {
        const c10::NoGradGuard fixed;
        wanted = forward(m_spec, m_teacher, batch, frame, std::nullopt, m_operations).logits;
    }
    std::optional<TrainingGate> gate;
    if (const auto& sparsity = m_options.sparsity)
        gate = TrainingGate{sparsity->isSampled, m_scalars.bias(), m_scalars.noise(), 0};
    const Forward run = forward(m_spec, weights, batch, frame, gate, m_operations);
    return lossesOf({run, wanted}, batch, m_options, m_scalars.price(), m_operations);
}

/// What adds up over workers.
at::Tensor TrainingStep::sumsOf(const Losses& losses) const
{
    std::vector<at::Tensor> sums = {losses.loss.detach().view({1}), losses.crossEntropy};
    if (m_options.sparsity)
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
    result.crossEntropy.assign(at, at + m_groups);
    at += m_groups;
    if (m_options.sparsity) {
        result.expectedDensity = *at++;
        result.density = *at++;
        result.excess.assign(at, at + m_groups);
    }
    return result;
}

}  // namespace hs::train
