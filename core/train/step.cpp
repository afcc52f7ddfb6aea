#include "train/step_tensors.h"

#include <torch/csrc/autograd/autograd.h>

#include <algorithm>
#include <cmath>

namespace hs::train {
namespace {

constexpr double kAdamEpsilon = 1e-8;

/// Averages over the tokens of each group, by the batch's weights.
class GroupMeans {
public:
    explicit GroupMeans(const BatchTensors& batch)
        : m_batch(batch), m_weight(at::mv(batch.members, batch.weights.sum(1))), m_isThere(m_weight.gt(0))
    {
    }

    at::Tensor of(const at::Tensor& values) const  // [row] → [group], 0 for an absent group
    {
        const at::Tensor sums = (values.view_as(m_batch.weights) * m_batch.weights).sum(1);  // [prompt]
        return at::mv(m_batch.members, sums) / m_weight.clamp_min(1e-12);
    }
    at::Tensor across(const at::Tensor& means) const { return means.sum() / m_isThere.sum(); }  // []
    at::Tensor marked(const at::Tensor& means) const  // NaN for an absent group
    {
        return means.detach().masked_fill(m_isThere.logical_not(), NAN);
    }

private:
    const BatchTensors& m_batch;
    at::Tensor m_weight;   // [group]
    at::Tensor m_isThere;  // [group] bool
};

}  // namespace

/// What a step minimises and reports.
struct TrainingStep::Losses {
    at::Tensor loss;             // []
    at::Tensor expectedDensity;  // []
    at::Tensor density;          // []
    at::Tensor crossEntropy;     // [group]
    at::Tensor excess;           // [group], undefined without a teacher
};

StepScalars::StepScalars(at::Device device)
    : m_values(at::zeros({6}, at::TensorOptions(at::kFloat).device(device))),
      m_seed(at::zeros({1}, at::TensorOptions(at::kLong).device(device)))
{
}

void StepScalars::set(const Options& options, std::int64_t step, double price)
{
    const auto count = static_cast<double>(step + 1);
    at::Tensor values = at::empty({6}, at::kFloat);
    float* const data = values.data_ptr<float>();
    data[0] = static_cast<float>(rateAt(options, step));
    data[1] = static_cast<float>(1 / (1 - std::pow(options.beta1, count)));
    data[2] = static_cast<float>(1 / (1 - std::pow(options.beta2, count)));
    // A short memory at first, so that the starting point is soon forgotten.
    data[3] = static_cast<float>(1 - std::min(options.averaging, (count + 1) / (count + 10)));
    data[4] = static_cast<float>(price);
    data[5] = static_cast<float>(options.sparsity ? biasAt(*options.sparsity, step) : 0);
    m_values.copy_(values);
    m_seed.fill_(static_cast<std::int64_t>(options.seed) * 1'000'003 + step);
}

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
    const at::Tensor norm = descend(gradient);
    std::vector<at::Tensor> report = {losses.loss.detach(), norm, losses.expectedDensity.detach(),
                                      losses.density};
    for (at::Tensor& number : report)
        number = number.view({1});
    report.push_back(losses.crossEntropy);
    if (losses.excess.defined())
        report.push_back(losses.excess);
    return at::cat(report);
}

TrainingStep::Losses TrainingStep::losses(const at::Tensor& weights, const BatchTensors& batch,
                                          const engine::DecoderFrame& frame) const
{
    const std::optional<SparsityOptions>& sparsity = m_options.sparsity;
    at::Tensor wanted;  // [row, vocabulary]
    at::Tensor wantedCrossEntropy;
    if (!m_teacher.layers.empty()) {
        const c10::NoGradGuard fixed;
        wanted = forward(m_spec, m_teacher, batch, frame, std::nullopt, m_operations).logits;
        if (sparsity && sparsity->divergenceWeight == 0)
            wantedCrossEntropy = tokenLosses(wanted, at::Tensor(), batch.targets, m_operations).crossEntropy;
    }
    std::optional<TrainingGate> gate;
    if (sparsity)
        gate = TrainingGate{sparsity->isSampled, m_scalars.bias(), m_scalars.seed(), 0};
    const Forward run =
        forward(m_spec, m_layout.unpack(weights.to(m_type)), batch, frame, gate, m_operations);
    const TokenLosses rows = tokenLosses(run.logits, wanted, batch.targets, m_operations);

    const GroupMeans means(batch);
    const at::Tensor crossEntropy = means.of(rows.crossEntropy);
    Losses result;
    result.crossEntropy = means.marked(crossEntropy);
    result.expectedDensity = result.density = at::ones({}, weights.options().requires_grad(false));
    if (!sparsity) {
        result.loss = means.across(crossEntropy);
        return result;
    }
    const at::Tensor divergence = means.of(rows.divergence);
    result.excess =
        means.marked(wantedCrossEntropy.defined() ? crossEntropy - means.of(wantedCrossEntropy) : divergence);
    const at::Tensor cells = batch.cells * (static_cast<double>(m_spec.layers) * m_spec.heads);
    result.expectedDensity = run.expected.sum() / cells;
    result.density = run.active.sum() / cells;
    at::Tensor cost = result.expectedDensity;
    if (sparsity->headPenalty > 0)
        cost = cost + at::log1p(run.expected).sum() * (sparsity->headPenalty / cells);
    result.loss = means.across(divergence) * sparsity->divergenceWeight + m_scalars.price() * cost;
    if (sparsity->crossEntropyWeight > 0)
        result.loss = result.loss + means.across(crossEntropy) * sparsity->crossEntropyWeight;
    return result;
}

/// AdamW in place; returns the gradient's norm before clipping.
at::Tensor TrainingStep::descend(const at::Tensor& gradient)
{
    const at::Tensor norm = gradient.norm();
    gradient.mul_((m_options.clip / (norm + 1e-6)).clamp_max(1));
    m_vectors.mean.mul_(m_options.beta1).add_(gradient, 1 - m_options.beta1);
    m_vectors.variance.mul_(m_options.beta2).addcmul_(gradient, gradient, 1 - m_options.beta2);
    const at::Tensor scale =
        (m_vectors.variance * m_scalars.varianceCorrection()).sqrt_().add_(kAdamEpsilon).reciprocal_();
    const at::Tensor rate = m_scalars.rate();
    m_vectors.weights.narrow(0, 0, m_layout.matrixSize()).mul_(1 - rate * m_options.decay);
    m_vectors.weights.sub_(scale.mul_(m_vectors.mean).mul_(rate * m_scalars.meanCorrection()));
    m_vectors.average.add_((m_vectors.weights - m_vectors.average).mul_(m_scalars.averageShare()));
    return norm;
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
