#include "train/optimizer_tensors.h"

#include <algorithm>
#include <cmath>

namespace hs::train {
namespace {

constexpr double kAdamEpsilon = 1e-8;

}  // namespace

StepScalars::StepScalars(at::Device device)
    : m_values(at::zeros({6}, at::TensorOptions(at::kFloat).device(device))),
      m_noise(at::zeros({2}, at::TensorOptions(at::kLong).device(device)))
{
}

void StepScalars::set(const Options& options, std::int64_t step, double price, int firstRow)
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
    at::Tensor noise = at::empty({2}, at::kLong);
    noise.data_ptr<std::int64_t>()[0] = static_cast<std::int64_t>(options.seed) * 1'000'003 + step;
    noise.data_ptr<std::int64_t>()[1] = firstRow;
    m_noise.copy_(noise);
}

at::Tensor descend(TrainingVectors& vectors, const at::Tensor& gradient, std::int64_t matrixSize,
                   const Options& options, const StepScalars& scalars)
{
    const at::Tensor norm = gradient.norm();
    gradient.mul_((options.clip / (norm + 1e-6)).clamp_max(1));
    vectors.mean.mul_(options.beta1).add_(gradient, 1 - options.beta1);
    vectors.variance.mul_(options.beta2).addcmul_(gradient, gradient, 1 - options.beta2);
    const at::Tensor scale =
        (vectors.variance * scalars.varianceCorrection()).sqrt_().add_(kAdamEpsilon).reciprocal_();
    const at::Tensor rate = scalars.rate();
    vectors.weights.narrow(0, 0, matrixSize).mul_(1 - rate * options.decay);
    vectors.weights.sub_(scale.mul_(vectors.mean).mul_(rate * scalars.meanCorrection()));
    vectors.average.add_((vectors.weights - vectors.average).mul_(scalars.averageShare()));
    return norm;
}

}  // namespace hs::train
