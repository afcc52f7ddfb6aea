#include "cuda/rms_norm.h"
#include "train/fused_launch_tensors.h"
#include "train/fused_ops_tensors.h"

#include <torch/csrc/autograd/custom_function.h>

namespace hs::train {
namespace {

using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

constexpr int kPartsOnCpu = 16;  // for any number of threads, so that the order of sums is fixed

cuda::NormProblem makeProblem(const at::Tensor& x, const at::Tensor& scale, double eps)
{
    cuda::NormProblem problem;
    problem.width = static_cast<int>(x.size(-1));
    problem.rows = x.numel() / x.size(-1);
    problem.eps = static_cast<float>(eps);
    problem.precision = precisionOf(x);
    problem.x = x.data_ptr();
    problem.scale = scale.defined() ? scale.data_ptr() : nullptr;
    return problem;
}

struct NormFunction : torch::autograd::Function<NormFunction> {
    /// `scaleOrX` is x where there is no scale: torch requires every tensor argument to be defined.
    static at::Tensor forward(AutogradContext* context, const at::Tensor& x, const at::Tensor& scaleOrX,
                              bool hasScale, double eps)
    {
        const at::Tensor scale = hasScale ? scaleOrX : at::Tensor();
        const cuda::NormProblem problem = makeProblem(x, scale, eps);
        const at::Tensor y = at::empty_like(x);
        const at::Tensor inverse = at::empty({problem.rows}, x.options().dtype(at::kFloat));
        runWhere(
            x,
            [&](auto stream) {
                cuda::rmsNormForward(problem, y.data_ptr(), inverse.template data_ptr<float>(), stream);
            },
            [&] {
                forRows(problem.rows, problem.width, [&](std::int64_t begin, std::int64_t end) {
                    cuda::rmsNormForwardTwin(problem, y.data_ptr<float>(), inverse.data_ptr<float>(), begin,
                                             end);
                });
            });
        context->save_for_backward({x, scale, inverse});
        context->saved_data["eps"] = eps;
        return y;
    }

    static variable_list backward(AutogradContext* context, variable_list gradients)
    {
        const variable_list saved = context->get_saved_variables();
        const at::Tensor& x = saved[0];
        const at::Tensor& scale = saved[1];
        const cuda::NormProblem problem = makeProblem(x, scale, context->saved_data["eps"].toDouble());
        const at::Tensor dy = gradients[0].contiguous();
        const at::Tensor dx = at::empty_like(x);
        at::Tensor dScale;
        cuda::NormGradient gradient;
        gradient.inverse = saved[2].data_ptr<float>();
        gradient.dy = dy.data_ptr();
        gradient.dx = dx.data_ptr();
        const auto makeParts = [&](int parts) {
            if (!scale.defined())
                return;
            dScale = at::empty({parts, problem.width}, x.options().dtype(at::kFloat));
            gradient.dScale = dScale.data_ptr<float>();
        };
        runWhere(
            x,
            [&](auto stream) {
                makeParts(cuda::normParts(problem.rows));
                cuda::rmsNormBackward(problem, gradient, stream);
            },
            [&] {
                makeParts(kPartsOnCpu);
                if (dScale.defined())
                    dScale.zero_();  // the twin adds
                at::parallel_for(0, kPartsOnCpu, 1, [&](std::int64_t begin, std::int64_t end) {
                    for (std::int64_t part = begin; part < end; ++part) {
                        cuda::NormGradient own = gradient;
                        own.dScale = gradient.dScale ? gradient.dScale + part * problem.width : nullptr;
                        cuda::rmsNormBackwardTwin(problem, own, problem.rows * part / kPartsOnCpu,
                                                  problem.rows * (part + 1) / kPartsOnCpu);
                    }
                });
            });
        if (dScale.defined())
            dScale = dScale.sum(0).to(scale.scalar_type());
        return {dx, dScale, at::Tensor(), at::Tensor()};
    }
};

}  // namespace

at::Tensor fusedRmsNorm(const at::Tensor& x, const at::Tensor& scale, double eps)
{
    if (!isReadable(x))
        return fusedRmsNorm(x.to(at::kFloat), scale, eps).to(x.scalar_type());
    const at::Tensor rows = x.contiguous();
    if (!scale.defined())
        return NormFunction::apply(rows, rows, false, eps);
    return NormFunction::apply(rows, scale.to(x.scalar_type()).contiguous(), true, eps);
}

}  // namespace hs::train
