#include "bench/training_parts_tensors.h"

#include "base/timing.h"
#include "engine/device/device_tensors.h"
#include "engine/load/weights_tensors.h"
#include "train/recorder_tensors.h"

#include <torch/csrc/autograd/autograd.h>

#include <functional>

namespace hs::bench {
namespace {

constexpr int kPartWarmUps = 4;  // until it is recorded

using Work = std::function<at::Tensor()>;
using Operation = std::function<at::Tensor(const at::Tensor&)>;

/// The parts of a step; their numbers are made before they run.
class Parts {
public:
    Parts(const TrainingBenchmark& options, const train::BatchTensors& batch)
        : m_model(*options.model), m_spec(m_model.spec()), m_batch(batch),
          m_numbers(at::TensorOptions(engine::torchType(options.computedIn))
                        .device(engine::torchDevice(m_model.facts().device))),
          m_rows(static_cast<std::int64_t>(options.rows) * options.length)
    {
    }

    /// Of all layers and of the vocabulary.
    Work products() const
    {
        std::vector<Work> all;
        for (int layer = 0; layer < m_spec.layers; ++layer)
            for (const model::Role role : {model::Role::QkvWeight, model::Role::OutWeight,
                                           model::Role::UpWeight, model::Role::DownWeight})
                all.push_back(product(m_model.weights().at(layer, role)));
        all.push_back(product(m_model.weights()[model::Role::Unembedding]));
        return [all] {
            at::Tensor last;
            for (const Work& one : all)
                last = one();
            return last;
        };
    }

    Work attention() const
    {
        const engine::DecoderFrame frame(m_spec, m_batch.tokens.size(1), m_numbers.device());
        const train::AttentionForm form{m_spec.heads, m_spec.kvHeads, m_spec.headDim, m_spec.windows.front(),
                                        m_spec.scoreScale(0)};
        const train::TrainingGate gate{false, at::zeros({1}, m_numbers.dtype(at::kFloat)), {}, 0};
        const auto apply = [this, frame, form, gate](const at::Tensor& qkv) {
            const engine::Rotation& rotation = frame.rotationOf(m_spec, 0);
            return train::fusedAttention(qkv, m_batch.lengths, rotation.cos, rotation.sin, form,
                                         qkv.requires_grad() ? std::optional(gate) : std::nullopt)
                .z;
        };
        return repeated(m_spec.layers, m_spec.queryWidth() + 2 * m_spec.kvWidth(), apply);
    }

    Work norms() const
    {
        const at::Tensor scale = at::ones({m_spec.hidden}, m_numbers).requires_grad_();
        return repeated(2 * m_spec.layers + 1, m_spec.hidden, [this, scale](const at::Tensor& x) {
            return train::fusedRmsNorm(x, scale, m_spec.normEps);
        });
    }

    Work activations() const
    {
        return repeated(m_spec.layers, 2 * m_spec.intermediate, [this](const at::Tensor& inner) {
            return train::fusedGatedActivation(inner, m_spec.activation);
        });
    }

    /// On the residual stream: two a layer in either model, and as many where gradients meet.
    Work sums() const
    {
        return [this, x = numbers(m_spec.hidden)] {
            at::Tensor sum;
            for (int count = 0; count < 6 * m_spec.layers; ++count)
                sum = x + x;
            return sum;
        };
    }

    Work losses() const
    {
        return [this, logits = numbers(m_spec.vocabulary).requires_grad_(),
                teacher = numbers(m_spec.vocabulary)] {
            const at::Tensor loss = train::fusedTokenLosses(logits, teacher, m_batch.targets).divergence;
            return torch::autograd::grad({loss.sum()}, {logits}).front();
        };
    }

private:
    at::Tensor numbers(std::int64_t width) const { return at::randn({m_rows, width}, m_numbers); }

    /// An operation of a student with its gradient, and of a teacher, so many times.
    Work repeated(int times, std::int64_t width, const Operation& apply) const
    {
        return [times, teacher = numbers(width), student = numbers(width).requires_grad_(), apply] {
            at::Tensor slope;
            for (int repeat = 0; repeat < times; ++repeat)
                slope = withGradient(apply, teacher, student, {student});
            return slope;
        };
    }

    Work product(const at::Tensor& weight) const
    {
        return [factor = weight.detach().to(m_numbers.dtype()).requires_grad_(),
                teacher = numbers(weight.size(1)), student = numbers(weight.size(1)).requires_grad_()] {
            return withGradient([&](const at::Tensor& x) { return at::linear(x, factor); }, teacher, student,
                                {student, factor});
        };
    }

    static at::Tensor withGradient(const Operation& apply, const at::Tensor& teacher,
                                   const at::Tensor& student, const std::vector<at::Tensor>& inputs)
    {
        {
            const c10::NoGradGuard fixed;
            apply(teacher);
        }
        const at::Tensor y = apply(student);
        return torch::autograd::grad({y}, inputs, {y.detach()}).front();
    }

    const engine::Model& m_model;
    const model::ArchSpec& m_spec;
    const train::BatchTensors& m_batch;
    at::TensorOptions m_numbers;
    std::int64_t m_rows;
};

}  // namespace

std::vector<Measurement> measureTrainingParts(const TrainingBenchmark& options, const train::Batch& batch,
                                              train::TrainingVectors& vectors, const train::Options& training)
{
    const at::Device device = vectors.weights.device();
    const train::BatchTensors tensors(batch, 1, device);
    const Parts parts(options, tensors);
    train::StepScalars scalars(device);
    scalars.set(training, 0, 1);
    const Work optimizer = [&] {
        const at::Tensor narrowed = vectors.weights.to(engine::torchType(options.computedIn));
        return train::descend(vectors, narrowed, narrowed.numel(), training, scalars);
    };
    std::vector<Measurement> all;
    const auto measure = [&](const char* name, const char* note, const Work& work) {
        train::Recorder recorder(options.model->spec(), device, true,
                                 [&work](const auto&, const auto&) { return work(); });
        std::vector<double> times;
        for (int round = -kPartWarmUps; round < options.rounds; ++round) {
            const double time = milliseconds([&] { recorder.run(tensors).flatten()[0].item<float>(); });
            if (round >= 0)
                times.push_back(time);
        }
        all.push_back({name, median(times), "ms", note});
    };
    measure("training_products_ms", "matrix products of a step by themselves, both models", parts.products());
    measure("training_attention_ms", "its attention", parts.attention());
    measure("training_norms_ms", "its norms", parts.norms());
    if (options.model->spec().hasGatedMlp)
        measure("training_activations_ms", "what its MLPs do between products", parts.activations());
    measure("training_sums_ms", "sums on its residual stream", parts.sums());
    measure("training_losses_ms", "its losses, and their gradient", parts.losses());
    measure("training_optimizer_ms", "AdamW and the average", optimizer);
    return all;
}

}  // namespace hs::bench
