#include "cuda/attention_training.h"
#include "train/fused_launch_tensors.h"
#include "train/fused_ops_tensors.h"

#include <torch/csrc/autograd/custom_function.h>

namespace hs::train {
namespace {

using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

/// Everything but the projections.
struct AttentionSetting {
    at::Tensor lengths;
    at::Tensor cos;
    at::Tensor sin;
    at::Tensor bias;
    at::Tensor noise;
    AttentionForm form;
    cuda::GateKind gate = cuda::GateKind::None;
    int layer = 0;
};

cuda::AttentionProblem makeProblem(const at::Tensor& qkv, const AttentionSetting& setting)
{
    cuda::AttentionProblem problem;
    problem.prompts = static_cast<int>(setting.lengths.size(0));
    problem.length = static_cast<int>(qkv.size(0) / setting.lengths.size(0));
    problem.heads = setting.form.heads;
    problem.kvHeads = setting.form.kvHeads;
    problem.headDim = setting.form.headDim;
    problem.rotatedPairs = setting.cos.defined() ? static_cast<int>(setting.cos.size(1)) : 0;
    problem.window = setting.form.window;
    problem.scale = static_cast<float>(setting.form.scale);
    problem.gate = setting.gate;
    problem.layer = setting.layer;
    problem.precision = precisionOf(qkv);
    problem.qkv = qkv.data_ptr();
    problem.lengths = setting.lengths.data_ptr<std::int32_t>();
    problem.cos = pointerOrNull<float>(setting.cos);
    problem.sin = pointerOrNull<float>(setting.sin);
    problem.bias = pointerOrNull<float>(setting.bias);
    problem.noise = pointerOrNull<std::int64_t>(setting.noise);
    return problem;
}

void keep(AutogradContext* context, const AttentionSetting& setting)
{
    const AttentionForm& form = setting.form;
    context->saved_data["numbers"] = std::vector<std::int64_t>{
        form.heads,   form.kvHeads, form.headDim, form.window, static_cast<std::int64_t>(setting.gate),
        setting.layer};
    context->saved_data["scale"] = form.scale;
}

AttentionSetting keptSetting(AutogradContext* context, const variable_list& saved)
{
    AttentionSetting setting{saved[3], saved[4], saved[5], saved[6], saved[7], {}};
    const std::vector<std::int64_t> numbers = context->saved_data["numbers"].toIntVector();
    setting.form.heads = static_cast<int>(numbers[0]);
    setting.form.kvHeads = static_cast<int>(numbers[1]);
    setting.form.headDim = static_cast<int>(numbers[2]);
    setting.form.window = static_cast<int>(numbers[3]);
    setting.form.scale = context->saved_data["scale"].toDouble();
    setting.gate = static_cast<cuda::GateKind>(numbers[4]);
    setting.layer = static_cast<int>(numbers[5]);
    return setting;
}

struct AttentionFunction : torch::autograd::Function<AttentionFunction> {
    static variable_list forward(AutogradContext* context, const at::Tensor& qkv,
                                 const AttentionSetting& setting)
    {
        const cuda::AttentionProblem problem = makeProblem(qkv, setting);
        const at::TensorOptions floats = qkv.options().dtype(at::kFloat);
        const at::Tensor z =
            at::empty({qkv.size(0), std::int64_t(problem.heads) * problem.headDim}, qkv.options());
        const at::Tensor logSumExp = at::empty({problem.prompts, problem.heads, problem.length}, floats);
        at::Tensor expected;
        at::Tensor active;
        const auto makeResult = [&](int tiles) {
            cuda::AttentionResult result;
            result.z = z.data_ptr();
            result.logSumExp = logSumExp.data_ptr<float>();
            if (problem.gate != cuda::GateKind::None) {
                expected = at::empty({problem.prompts, problem.heads, tiles}, floats);
                active = at::empty_like(expected);
                result.expected = expected.data_ptr<float>();
                result.active = active.data_ptr<float>();
            }
            return result;
        };
        runWhere(
            qkv,
            [&](auto stream) {
                cuda::attentionForward(problem, makeResult(cuda::attentionTiles(problem)), stream);
            },
            [&] {
                const cuda::AttentionResult result = makeResult(1);
                at::parallel_for(0, problem.prompts * problem.heads, 1, [&](auto begin, auto end) {
                    for (int map = static_cast<int>(begin); map < end; ++map)
                        cuda::attentionForwardTwin(problem, result, map / problem.heads, map % problem.heads);
                });
            });
        context->set_materialize_grads(false);
        context->save_for_backward(
            {qkv, z, logSumExp, setting.lengths, setting.cos, setting.sin, setting.bias, setting.noise});
        keep(context, setting);
        if (!expected.defined())
            return {z};
        active = active.sum(-1);
        context->mark_non_differentiable({active});
        return {z, expected.sum(-1), active};
    }

    static variable_list backward(AutogradContext* context, variable_list gradients)
    {
        const variable_list saved = context->get_saved_variables();
        const at::Tensor& qkv = saved[0];
        const at::Tensor& z = saved[1];
        const at::Tensor& logSumExp = saved[2];
        const AttentionSetting setting = keptSetting(context, saved);
        const cuda::AttentionProblem problem = makeProblem(qkv, setting);
        const at::Tensor dz = gradients[0].defined() ? gradients[0].contiguous() : at::zeros_like(z);
        const at::Tensor dExpected = gradients.size() > 1 && gradients[1].defined()
                                         ? gradients[1].to(at::kFloat).contiguous()
                                         : at::Tensor();
        const at::Tensor dqkv = at::empty_like(qkv);
        cuda::AttentionGradient gradient;
        gradient.z = z.data_ptr();
        gradient.logSumExp = logSumExp.data_ptr<float>();
        gradient.dz = dz.data_ptr();
        gradient.dExpected = pointerOrNull<float>(dExpected);
        gradient.dqkv = dqkv.data_ptr();
        runWhere(
            qkv,
            [&](auto stream) {
                const at::Tensor delta = at::empty_like(logSumExp);
                gradient.delta = delta.template data_ptr<float>();
                cuda::attentionBackward(problem, gradient, stream);
            },
            [&] {
                at::parallel_for(0, problem.prompts * problem.kvHeads, 1, [&](auto begin, auto end) {
                    for (int map = static_cast<int>(begin); map < end; ++map)
                        cuda::attentionBackwardTwin(problem, gradient, map / problem.kvHeads,
                                                    map % problem.kvHeads);
                });
            });
        return {dqkv, at::Tensor()};
    }
};

}  // namespace

bool canFuseAttention(const model::ArchSpec& spec)
{
    return spec.headDim <= cuda::kMostHeadDim && !spec.scoreCap;
}

GatedAttention fusedAttention(const at::Tensor& qkv, const at::Tensor& lengths, const at::Tensor& cos,
                              const at::Tensor& sin, const AttentionForm& form,
                              const std::optional<TrainingGate>& gate)
{
    if (!isReadable(qkv)) {
        GatedAttention result = fusedAttention(qkv.to(at::kFloat), lengths, cos, sin, form, gate);
        result.z = result.z.to(qkv.scalar_type());
        return result;
    }
    AttentionSetting setting{lengths.contiguous(), {}, {}, {}, {}, form};
    if (cos.defined() && cos.size(1) > 0) {
        setting.cos = cos.contiguous();
        setting.sin = sin.contiguous();
    }
    if (gate) {
        setting.gate = gate->isSampled ? cuda::GateKind::Sampled : cuda::GateKind::Threshold;
        setting.bias = gate->bias;
        setting.layer = gate->layer;
        if (gate->isSampled)
            setting.noise = gate->noise;
    }
    const variable_list outputs = AttentionFunction::apply(qkv.contiguous(), setting);
    if (!gate)
        return {outputs[0], {}, {}};
    return {outputs[0], outputs[1], outputs[2]};
}

}  // namespace hs::train
