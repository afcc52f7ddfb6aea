#include "train/forward_tensors.h"

#include "core/train/odd_batch.h"
#include "engine/device/device_tensors.h"
#include "engine/run/engine.h"
#include "support/catch.h"
#include "support/models.h"
#include "train/measure_tensors.h"

using namespace hs;

namespace {

engine::RunResult runRow(const std::shared_ptr<const engine::Model>& model, const train::Batch& batch,
                         int row, std::optional<engine::ScoreGate> gate)
{
    engine::RunRequest request;
    request.model = model;
    request.gate = gate;
    request.capture.logits = true;
    const auto first = batch.tokens.begin() + static_cast<std::ptrdiff_t>(row) * batch.length;
    request.tokens.assign(first, first + batch.lengths[row]);
    engine::Engine engine;
    return test::value(engine.run(request));
}

train::Forward run(const engine::Model& model, const train::Batch& batch, std::optional<double> gateBias,
                   train::Operations operations)
{
    const at::Device device = engine::torchDevice(model.facts().device);
    std::optional<train::TrainingGate> gate;
    if (gateBias)
        gate = train::TrainingGate{
            false, at::full({1}, *gateBias, at::TensorOptions(at::kFloat).device(device)), {}, 0};
    const c10::NoGradGuard fixed;
    return forward(model.spec(), model.weights(), train::BatchTensors(batch, 2, device),
                   engine::DecoderFrame(model.spec(), batch.length, device), gate, operations);
}

/// Whether LongRoPE takes its longer factors.
bool isStretched(const model::Rope& rope, int length)
{
    return rope.kind == model::Rope::Kind::LongRope && length > rope.originalContext;
}

}  // namespace

TEST_CASE("a batch run for training gives each row what the engine gives it")
{
    const auto operations = GENERATE(train::Operations::Plain, train::Operations::Fused);
    const auto gateBias = GENERATE(std::optional<double>(), std::optional<double>(0.1));
    for (const std::string& name : test::goldenNames()) {
        INFO(name << (gateBias ? " gated" : "")
                  << (operations == train::Operations::Fused ? " fused" : " plain"));
        const std::shared_ptr<const engine::Model> model = test::openGolden(name);
        const train::Batch batch = test::oddBatch(model->spec());
        const train::Forward forward = run(*model, batch, gateBias, operations);
        const at::Tensor logits = forward.logits.to(at::kCPU).contiguous();
        const std::int64_t vocabulary = model->spec().vocabulary;
        for (int row = 0; row < batch.rows; ++row) {
            // A batch is stretched by its longest row, as in transformers.
            if (isStretched(model->spec().rope, batch.lengths[row]) !=
                isStretched(model->spec().rope, batch.length))
                continue;
            const engine::RunResult alone = runRow(
                model, batch, row, gateBias ? std::optional(engine::ScoreGate{*gateBias}) : std::nullopt);
            const float* const mine =
                logits.data_ptr<float>() + static_cast<std::int64_t>(row) * batch.length * vocabulary;
            for (std::size_t index = 0; index < alone.logits.size(); ++index)
                REQUIRE(mine[index] == Approx(alone.logits[index]).margin(2e-4));
            if (!gateBias)
                continue;
            const double cells = 0.5 * batch.lengths[row] * (batch.lengths[row] + 1) * alone.heads.total();
            const double active = forward.active.select(1, row).sum().item<double>();
            CHECK(active / cells == Approx(alone.density).margin(1e-9));
        }
    }
}

TEST_CASE("held-out losses are the engine's, by their weights")
{
    const std::shared_ptr<const engine::Model> model = test::openGolden(test::goldenNames().front());
    const train::Batch batch = test::oddBatch(model->spec());
    const train::HeldOutMeasure measure =
        train::measureHeldOut({model->spec(), model->weights(), 0.1}, nullptr, {{batch, {}}}, {"even", "odd"},
                              train::Operations::Fused);
    // Rows 1 and 3 are in the group "odd"; losses of 4 and 11 tokens.
    const double first = *runRow(model, batch, 1, engine::ScoreGate{0.1}).loss;
    const double second = *runRow(model, batch, 3, engine::ScoreGate{0.1}).loss;
    CHECK(measure.groups[1].crossEntropy == Approx((4 * first + 11 * second) / 15).epsilon(1e-4));
    CHECK(measure.groups[1].answers == 0);
}

TEST_CASE("an answer counts when it is the likeliest, several by their probability")
{
    const std::shared_ptr<const engine::Model> model = test::openGolden(test::goldenNames().front());
    const train::Batch batch = test::oddBatch(model->spec());
    const engine::RunResult alone = runRow(model, batch, 0, std::nullopt);
    const std::int64_t likeliest = alone.predictions.front().token;
    const auto scoreOf = [&](std::int64_t first, std::int64_t last) {
        // Row 0 is full; its last position predicts the token that would follow.
        train::Batch longer = batch;
        const train::HeldOutBatch heldOut{longer, {{0, batch.length, first, last}}};
        return train::measureHeldOut({model->spec(), model->weights(), std::nullopt}, nullptr, {heldOut},
                                     {"a", "b"}, train::Operations::Plain)
            .groups[0]
            .score;
    };
    CHECK(scoreOf(likeliest, likeliest) == 1);
    const std::int64_t other = likeliest == 0 ? 1 : likeliest - 1;
    CHECK(scoreOf(other, other) == 0);
    CHECK(scoreOf(0, model->spec().vocabulary - 1) == Approx(1));
    double mass = 0;
    for (const engine::Prediction& prediction : alone.predictions)
        if (prediction.token <= likeliest)
            mass += prediction.probability;
    CHECK(scoreOf(0, likeliest) >= Approx(mass).margin(1e-5));
    CHECK(scoreOf(0, likeliest) < 1);
}
