#include "cuda/token_losses.h"
#include "train/fused_launch_tensors.h"
#include "train/fused_ops_tensors.h"

#include <torch/csrc/autograd/custom_function.h>

namespace hs::train {
namespace {

using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

cuda::LossProblem makeProblem(const at::Tensor& logits, const at::Tensor& teacher, const at::Tensor& targets)
{
    cuda::LossProblem problem;
    problem.rows = logits.size(0);
    problem.vocabulary = static_cast<int>(logits.size(1));
    problem.precision = precisionOf(logits);
    problem.logits = logits.data_ptr();
    problem.teacher = teacher.defined() ? teacher.data_ptr() : nullptr;
    problem.targets = targets.data_ptr<std::int64_t>();
    return problem;
}

/// The teacher and the targets, which get no gradient.
struct Aims {
    at::Tensor teacher;
    at::Tensor targets;
};

struct LossesFunction : torch::autograd::Function<LossesFunction> {
    static variable_list forward(AutogradContext* context, const at::Tensor& logits, const Aims& aims)
    {
        const cuda::LossProblem problem = makeProblem(logits, aims.teacher, aims.targets);
        const at::TensorOptions floats = logits.options().dtype(at::kFloat);
        const at::Tensor crossEntropy = at::empty({problem.rows}, floats);
        const at::Tensor logSumExp = at::empty({problem.rows}, floats);
        at::Tensor divergence;
        at::Tensor teacherLogSumExp;
        if (problem.teacher) {
            divergence = at::empty({problem.rows}, floats);
            teacherLogSumExp = at::empty({problem.rows}, floats);
        }
        cuda::LossResult result;
        result.crossEntropy = crossEntropy.data_ptr<float>();
        result.logSumExp = logSumExp.data_ptr<float>();
        result.divergence = pointerOrNull<float>(divergence);
        result.teacherLogSumExp = pointerOrNull<float>(teacherLogSumExp);
        runWhere(
            logits, [&](auto stream) { cuda::tokenLossesForward(problem, result, stream); },
            [&] {
                forRows(problem.rows, problem.vocabulary, [&](std::int64_t begin, std::int64_t end) {
                    cuda::tokenLossesForwardTwin(problem, result, begin, end);
                });
            });
        context->set_materialize_grads(false);
        context->save_for_backward({logits, aims.teacher, aims.targets, logSumExp, teacherLogSumExp});
        if (!problem.teacher)
            return {crossEntropy};
        return {crossEntropy, divergence};
    }

    static variable_list backward(AutogradContext* context, variable_list gradients)
    {
        const variable_list saved = context->get_saved_variables();
        const at::Tensor& logits = saved[0];
        const cuda::LossProblem problem = makeProblem(logits, saved[1], saved[2]);
        const auto gradientAt = [&](std::size_t index) {
            return index < gradients.size() && gradients[index].defined()
                       ? gradients[index].to(at::kFloat).contiguous()
                       : at::Tensor();
        };
        const at::Tensor dCrossEntropy = gradientAt(0);
        const at::Tensor dDivergence = gradientAt(1);
        const at::Tensor dLogits = at::empty_like(logits);
        cuda::LossGradient gradient;
        gradient.logSumExp = saved[3].data_ptr<float>();
        gradient.teacherLogSumExp = pointerOrNull<float>(saved[4]);
        gradient.dCrossEntropy = pointerOrNull<float>(dCrossEntropy);
        gradient.dDivergence = pointerOrNull<float>(dDivergence);
        gradient.dLogits = dLogits.data_ptr();
        runWhere(
            logits, [&](auto stream) { cuda::tokenLossesBackward(problem, gradient, stream); },
            [&] {
                forRows(problem.rows, problem.vocabulary, [&](std::int64_t begin, std::int64_t end) {
                    cuda::tokenLossesBackwardTwin(problem, gradient, begin, end);
                });
            });
        return {dLogits, at::Tensor()};
    }
};

}  // namespace

TokenLosses fusedTokenLosses(const at::Tensor& logits, const at::Tensor& teacher, const at::Tensor& targets)
{
    if (!isReadable(logits))
        return fusedTokenLosses(logits.to(at::kFloat), teacher, targets);
    Aims aims{{}, targets.contiguous()};
    if (teacher.defined())
        aims.teacher = teacher.detach().to(logits.scalar_type()).contiguous();
    const variable_list outputs = LossesFunction::apply(logits.contiguous(), aims);
    if (!teacher.defined())
        return {outputs[0], {}};
    return {outputs[0], outputs[1]};
}

}  // namespace hs::train
