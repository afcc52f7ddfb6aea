#include "cuda/gated_activation.h"
#include "train/fused_launch_tensors.h"
#include "train/fused_ops_tensors.h"

#include <torch/csrc/autograd/custom_function.h>

namespace hs::train {
namespace {

using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

cuda::ActivationKind kindOf(model::Activation activation)
{
    switch (activation) {
    case model::Activation::Relu: return cuda::ActivationKind::Relu;
    case model::Activation::Gelu: return cuda::ActivationKind::Gelu;
    case model::Activation::GeluTanh: return cuda::ActivationKind::GeluTanh;
    case model::Activation::QuickGelu: return cuda::ActivationKind::QuickGelu;
    case model::Activation::Silu: break;
    }
    return cuda::ActivationKind::Silu;
}

cuda::ActivationProblem makeProblem(const at::Tensor& inner, std::int64_t activation)
{
    cuda::ActivationProblem problem;
    problem.width = static_cast<int>(inner.size(-1) / 2);
    problem.rows = inner.numel() / inner.size(-1);
    problem.activation = static_cast<cuda::ActivationKind>(activation);
    problem.precision = precisionOf(inner);
    problem.inner = inner.data_ptr();
    return problem;
}

struct ActivationFunction : torch::autograd::Function<ActivationFunction> {
    static at::Tensor forward(AutogradContext* context, const at::Tensor& inner, std::int64_t activation)
    {
        const cuda::ActivationProblem problem = makeProblem(inner, activation);
        std::vector<std::int64_t> shape = inner.sizes().vec();
        shape.back() = problem.width;
        const at::Tensor y = at::empty(shape, inner.options());
        runWhere(
            inner, [&](auto stream) { cuda::gatedActivationForward(problem, y.data_ptr(), stream); },
            [&] {
                forRows(problem.rows, problem.width, [&](std::int64_t begin, std::int64_t end) {
                    cuda::gatedActivationForwardTwin(problem, y.data_ptr<float>(), begin, end);
                });
            });
        context->save_for_backward({inner});
        context->saved_data["activation"] = activation;
        return y;
    }

    static variable_list backward(AutogradContext* context, variable_list gradients)
    {
        const at::Tensor inner = context->get_saved_variables()[0];
        const cuda::ActivationProblem problem = makeProblem(inner, context->saved_data["activation"].toInt());
        const at::Tensor dy = gradients[0].contiguous();
        const at::Tensor dInner = at::empty_like(inner);
        runWhere(
            inner,
            [&](auto stream) {
                cuda::gatedActivationBackward(problem, dy.data_ptr(), dInner.data_ptr(), stream);
            },
            [&] {
                forRows(problem.rows, problem.width, [&](std::int64_t begin, std::int64_t end) {
                    cuda::gatedActivationBackwardTwin(problem, dy.data_ptr<float>(), dInner.data_ptr<float>(),
                                                      begin, end);
                });
            });
        return {dInner, at::Tensor()};
    }
};

}  // namespace

at::Tensor fusedGatedActivation(const at::Tensor& inner, model::Activation activation)
{
    if (!isReadable(inner))
        return fusedGatedActivation(inner.to(at::kFloat), activation).to(inner.scalar_type());
    return ActivationFunction::apply(inner.contiguous(), static_cast<std::int64_t>(kindOf(activation)));
}

}  // namespace hs::train
