#include "train/recomputed_tensors.h"

#include "core/train/fused_targets.h"
#include "core/train/odd_batch.h"
#include "engine/device/device_tensors.h"
#include "support/models.h"
#include "train/adapter_tensors.h"
#include "train/forward_tensors.h"
#include "train/parameters_tensors.h"

#include <cmath>

using namespace hs;

namespace {

enum class GateForm { None, Threshold, Sampled };

/// The gradient of a loss that depends on logits and open cells.
at::Tensor gradientOf(const engine::Model& model, const train::Trainable& trainable, bool recomputes,
                      GateForm form, train::Operations operations)
{
    const at::Device device = engine::torchDevice(model.facts().device);
    const train::Batch batch = test::oddBatch(model.spec());
    std::optional<train::TrainingGate> gate;
    if (form != GateForm::None)
        gate = train::TrainingGate{form == GateForm::Sampled,
                                   at::full({1}, 0.1, at::TensorOptions(at::kFloat).device(device)),
                                   at::full({2}, 5, at::TensorOptions(at::kLong).device(device)), 0};
    const at::Tensor vector = trainable.start(1).detach().requires_grad_();
    const train::Forward run =
        forward(model.spec(), {trainable, vector, recomputes}, train::BatchTensors(batch, 2, device),
                engine::DecoderFrame(model.spec(), batch.length, device), gate, operations);
    at::Tensor loss = at::log_softmax(run.logits, -1).select(1, 1).sum();
    if (gate)
        loss = loss + run.expected.square().sum();
    loss.backward();
    return vector.grad();
}

}  // namespace

TEST_CASE("layers that run again for their gradients give the gradients of those that were kept")
{
    const auto form = GENERATE(GateForm::None, GateForm::Threshold, GateForm::Sampled);
    const auto operations = GENERATE(train::Operations::Fused, train::Operations::Plain);
    const auto part = GENERATE(train::TrainedPart::All, train::TrainedPart::Attention);
    const bool hasAdapter = GENERATE(false, true);
    if (hasAdapter && part != train::TrainedPart::All)
        return;
    for (const std::string& name : test::goldenNames()) {
        INFO(name << (hasAdapter ? " adapter" : " ") << wordOf(part) << ", gate " << static_cast<int>(form)
                  << (operations == train::Operations::Fused ? " fused" : " plain"));
        const auto model = test::openGolden(name);
        std::unique_ptr<train::Trainable> trainable;
        if (hasAdapter)
            trainable = std::make_unique<train::LoraAdapter>(model->spec(), model->weights(),
                                                             train::AdapterOptions{2, 4, {"all-linear"}});
        else
            trainable = std::make_unique<train::ParameterLayout>(model->spec(), &model->weights(), part);
        const at::Tensor kept = gradientOf(*model, *trainable, false, form, operations);
        const at::Tensor again = gradientOf(*model, *trainable, true, form, operations);
        REQUIRE(kept.norm().item<double>() > 0);
        // The same operations on the same numbers; on a processor even sums are in the same order.
        if (kept.is_cpu())
            REQUIRE(at::equal(again, kept));
        else
            REQUIRE(distance(again, kept) < 1e-6);
    }
}

TEST_CASE("work runs once without gradients, and once more for them, and nothing else is asked for")
{
    int runs = 0;
    const train::RecomputedWork work = [&runs](const std::vector<at::Tensor>& inputs) {
        ++runs;
        return std::vector<at::Tensor>{(inputs[0] * inputs[1]).sin(), inputs[1].cos()};
    };
    const at::Tensor fixed = at::full({3}, 2.0);
    const at::Tensor leaf = at::full({3}, 0.5).requires_grad_();
    const std::vector<at::Tensor> outputs = train::recomputed(work, {fixed, leaf});
    CHECK(runs == 1);
    outputs[0].sum().backward();
    CHECK(runs == 2);
    CHECK(distance(leaf.grad(), at::full({3}, 2.0 * std::cos(1.0))) < 1e-6);
}
