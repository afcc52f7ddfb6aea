#pragma once

#include "core/train/fused_targets.h"
#include "cuda/gate_noise.h"
#include "train/fused_ops_tensors.h"

#include <cmath>
#include <limits>
#include <string>

namespace hs {

enum class TriedGate { None, Threshold, Sampled };

/// One shape of the fused attention, and both ways to compute it.
struct AttentionCase {
    std::vector<int> lengths = {5};
    train::AttentionForm form;
    int pairs = 0;
    TriedGate gate = TriedGate::None;
    bool hasOutputGradient = true;
    bool hasDensityGradient = true;

    static constexpr float kBias = 0.25f;
    static constexpr std::int64_t kSeed = 77;
    static constexpr int kLayer = 3;

    std::int64_t prompts() const { return static_cast<std::int64_t>(lengths.size()); }
    std::int64_t length() const { return *std::max_element(lengths.begin(), lengths.end()); }
    std::int64_t rows() const { return prompts() * length(); }
    std::int64_t packedWidth() const { return std::int64_t(form.heads + 2 * form.kvHeads) * form.headDim; }
    std::int64_t outputWidth() const { return std::int64_t(form.heads) * form.headDim; }
    std::string describe() const
    {
        return "length " + std::to_string(length()) + ", heads " + std::to_string(form.heads) + "/" +
               std::to_string(form.kvHeads) + " x " + std::to_string(form.headDim) + ", pairs " +
               std::to_string(pairs) + ", window " + std::to_string(form.window) + ", gate " +
               std::to_string(static_cast<int>(gate));
    }
};

inline at::Tensor anglesOf(const AttentionCase& shape)
{
    const at::Tensor speed = at::pow(100.0, -at::arange(shape.pairs, at::kDouble) / double(shape.pairs));
    return at::arange(shape.length(), at::kDouble).unsqueeze(1) * speed.unsqueeze(0);
}

struct AttentionInputs {
    at::Tensor qkv;
    at::Tensor dz;
    at::Tensor dExpected;  // [prompt, head]
};

inline AttentionInputs randomInputs(const AttentionCase& shape, const FusedTarget& target)
{
    return {randomOn(target, {shape.rows(), shape.packedWidth()}),
            randomOn(target, {shape.rows(), shape.outputWidth()}),
            at::randn({shape.prompts(), shape.form.heads}).to(target.device)};
}

inline train::GatedAttention fusedOf(const AttentionCase& shape, const at::Tensor& qkv)
{
    const at::Device device = qkv.device();
    at::Tensor cos;
    at::Tensor sin;
    if (shape.pairs > 0) {
        cos = anglesOf(shape).cos().to(device, at::kFloat);
        sin = anglesOf(shape).sin().to(device, at::kFloat);
    }
    std::optional<train::TrainingGate> gate;
    if (shape.gate != TriedGate::None) {
        gate.emplace();
        gate->isSampled = shape.gate == TriedGate::Sampled;
        gate->bias = at::full({1}, AttentionCase::kBias, at::kFloat).to(device);
        gate->noise = at::tensor({AttentionCase::kSeed, std::int64_t{0}}, at::kLong).to(device);
        gate->layer = AttentionCase::kLayer;
    }
    const at::Tensor lengths = at::tensor(shape.lengths, at::kInt).to(device);
    return train::fusedAttention(qkv, lengths, cos, sin, shape.form, gate);
}

/// logit(u) of every cell. [prompt, head, query, key]
inline at::Tensor noiseOf(const AttentionCase& shape)
{
    const std::int64_t length = shape.length();
    at::Tensor noise = at::empty({shape.prompts(), shape.form.heads, length, length}, at::kDouble);
    double* cell = noise.data_ptr<double>();
    for (int prompt = 0; prompt < shape.prompts(); ++prompt)
        for (int head = 0; head < shape.form.heads; ++head)
            for (int query = 0; query < length; ++query) {
                const std::uint64_t row =
                    cuda::noiseOfRow(AttentionCase::kSeed, AttentionCase::kLayer, prompt, head, query);
                for (int key = 0; key < length; ++key) {
                    const double u = cuda::noiseOfCell(row, key);
                    *cell++ = std::log(u / (1 - u));
                }
            }
    return noise;
}

/// The same with every map in memory and gradients by torch; `qkv` in double on the CPU.
inline train::GatedAttention plainOf(const AttentionCase& shape, const at::Tensor& qkv)
{
    const train::AttentionForm& form = shape.form;
    const std::int64_t length = shape.length();
    const at::Tensor packed =
        qkv.view({shape.prompts(), length, form.heads + 2 * form.kvHeads, form.headDim}).transpose(1, 2);
    const auto turned = [&](const at::Tensor& x) {
        if (shape.pairs == 0)
            return x;
        const at::Tensor angles = anglesOf(shape);
        const at::Tensor first = x.narrow(-1, 0, shape.pairs);
        const at::Tensor second = x.narrow(-1, shape.pairs, shape.pairs);
        const at::Tensor still = x.narrow(-1, 2 * shape.pairs, form.headDim - 2 * shape.pairs);
        return at::cat({first * angles.cos() - second * angles.sin(),
                        second * angles.cos() + first * angles.sin(), still},
                       -1);
    };
    const std::int64_t perGroup = form.heads / form.kvHeads;
    const at::Tensor queries = turned(packed.narrow(1, 0, form.heads));
    const at::Tensor keys = turned(packed.narrow(1, form.heads, form.kvHeads)).repeat_interleave(perGroup, 1);
    const at::Tensor values =
        packed.narrow(1, form.heads + form.kvHeads, form.kvHeads).repeat_interleave(perGroup, 1);

    const at::Tensor position = at::arange(length, at::kLong);
    const at::Tensor behind = position.unsqueeze(1) - position.unsqueeze(0);
    at::Tensor hidden = behind.lt(0);
    if (form.window > 0)
        hidden = hidden.logical_or(behind.ge(form.window));
    const at::Tensor isReal = position.unsqueeze(0)
                                  .lt(at::tensor(shape.lengths, at::kLong).unsqueeze(1))
                                  .view({shape.prompts(), 1, length, 1})
                                  .to(at::kDouble);
    const at::Tensor scores = (at::matmul(queries, keys.transpose(-1, -2)) * form.scale)
                                  .masked_fill(hidden, -std::numeric_limits<double>::infinity());
    at::Tensor weights = at::softmax(scores, -1) * isReal;
    train::GatedAttention result;
    if (shape.gate != TriedGate::None) {
        const at::Tensor raised = scores + double(AttentionCase::kBias);
        const at::Tensor shaken = shape.gate == TriedGate::Sampled ? raised + noiseOf(shape) : raised;
        const at::Tensor soft = at::sigmoid(shaken);
        const at::Tensor open = shaken.gt(0).to(at::kDouble);
        weights = weights * (open + soft - soft.detach());
        result.expected = (at::sigmoid(raised) * isReal).sum({2, 3});
        result.active = (open * isReal).sum({2, 3});
    }
    result.z = at::matmul(weights, values).transpose(1, 2).reshape({shape.rows(), shape.outputWidth()});
    return result;
}

/// The scalar whose gradients are compared.
inline at::Tensor objectiveOf(const AttentionCase& shape, const train::GatedAttention& attention,
                              const at::Tensor& dz, const at::Tensor& dExpected)
{
    at::Tensor sum;
    if (shape.hasOutputGradient)
        sum = (attention.z * dz).sum();
    if (shape.gate != TriedGate::None && shape.hasDensityGradient) {
        const at::Tensor density = (attention.expected * dExpected).sum();
        sum = sum.defined() ? sum + density : density;
    }
    return sum;
}

}  // namespace hs
