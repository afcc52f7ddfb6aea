#include "train/step_tensors.h"

#include <torch/csrc/autograd/autograd.h>

namespace hs::train {

TrainingStep::TrainingStep(const model::ArchSpec& spec, const Options& options, at::ScalarType type,
                           int groups, TrainingVectors& vectors, const at::Tensor& teacher,
                           Operations operations)
    : m_spec(spec), m_options(options), m_layout(spec), m_type(type), m_groups(groups), m_vectors(vectors),
      m_operations(operations), m_scalars(vectors.weights.device()),
      m_recorder(spec, vectors.weights.device(), operations == Operations::Fused && canFuseAttention(spec),
                 [this](const BatchTensors& batch, const engine::DecoderFrame& frame) {
                     return update(batch, frame);
                 })
{
    if (teacher.defined())
        m_teacher = m_layout.unpack(teacher);
}

StepReport TrainingStep::run(const Batch& batch, std::int64_t step, double price)
{
    m_scalars.set(m_options, step, price);
    return read(m_recorder.run(BatchTensors(batch, m_groups, m_vectors.weights.device())));
}

/// One step; returns its report as one tensor, in the order in which `read` unpacks it.
at::Tensor TrainingStep::update(const BatchTensors& batch, const engine::DecoderFrame& frame)
{
    const at::Tensor weights = m_vectors.weights.detach().requires_grad_();
    const Losses losses = this->losses(weights, batch, frame);
    const at::Tensor gradient = torch::autograd::grad({losses.loss}, {weights}).front();
    const c10::NoGradGuard updating;
    const at::Tensor norm = descend(m_vectors, gradient, m_layout.matrixSize(), m_options, m_scalars);
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
    if (!m_teacher.layers.empty()) {
        const c10::NoGradGuard fixed;
        wanted = forward(m_spec, m_teacher, batch, frame, std::nullopt, m_operations).logits;
    }
    std::optional<TrainingGate> gate;
    if (const auto& sparsity = m_options.sparsity)
        gate = TrainingGate{sparsity->isSampled, m_scalars.bias(), m_scalars.seed(), 0};
    const Forward run =
        forward(m_spec, m_layout.unpack(weights.to(m_type)), batch, frame, gate, m_operations);
    return lossesOf({run, wanted}, batch, m_options, m_scalars.price(), m_operations);
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
    result.crossEntropy.assign(at, at + m_groups);
    if (onHost.numel() > 4 + m_groups)
        result.excess.assign(at + m_groups, at + 2 * m_groups);
    return result;
}

}  // namespace hs::train
