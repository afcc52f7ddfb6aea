#include "train/optimizer_tensors.h"

#include "engine/device/device_tensors.h"
#include "train/fused_launch_tensors.h"

#include <algorithm>
#include <cmath>

namespace hs::train {
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
    m_values.copy_(engine::uploaded(values, m_values.device()));
    at::Tensor noise = at::empty({2}, at::kLong);
    noise.data_ptr<std::int64_t>()[0] = static_cast<std::int64_t>(options.seed) * 1'000'003 + step;
    noise.data_ptr<std::int64_t>()[1] = firstRow;
    m_noise.copy_(engine::uploaded(noise, m_noise.device()));
}

TrainingVectors startingVectors(const at::Tensor& weights, at::ScalarType states)
{
    const at::Tensor none = at::zeros_like(weights, weights.options().dtype(states));
    return {weights, none, none.clone(), weights.clone()};
}

at::Tensor descend(TrainingVectors& vectors, const at::Tensor& gradient, std::int64_t matrixSize,
                   const Options& options, const StepScalars& scalars)
{
    const at::Tensor norm = at::norm(gradient, 2, at::kFloat);
    const at::Tensor clip = (options.clip / (norm + 1e-6)).clamp_max(1);
    cuda::AdamProblem problem;
    problem.size = gradient.numel();
    problem.matrixSize = matrixSize;
    problem.beta1 = static_cast<float>(options.beta1);
    problem.beta2 = static_cast<float>(options.beta2);
    problem.decay = static_cast<float>(options.decay);
    problem.gradientPrecision = precisionOf(gradient);
    problem.statePrecision = precisionOf(vectors.mean);
    problem.gradient = gradient.data_ptr();
    problem.weights = vectors.weights.data_ptr<float>();
    problem.mean = vectors.mean.data_ptr();
    problem.deviation = vectors.deviation.data_ptr();
    problem.average = vectors.average.data_ptr<float>();
    problem.scalars = scalars.adam();
    problem.clip = clip.data_ptr<float>();
    problem.seed = scalars.noise().data_ptr<std::int64_t>();
    runWhere(
        gradient, [&](auto stream) { cuda::adamStep(problem, stream); },
        [&] {
            forRows(problem.size, 1,
                    [&](std::int64_t begin, std::int64_t end) { cuda::adamStepTwin(problem, begin, end); });
        });
    return norm;
}

}  // namespace hs::train
