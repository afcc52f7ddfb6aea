#include "train/training_memory.h"

#include "base/failure.h"
#include "engine/device/device_tensors.h"
#include "model/architectures.h"
#include "model/weight_plan.h"
#include "support/catch.h"
#include "support/models.h"
#include "train/make_trainable_tensors.h"
#include "train/step_tensors.h"

#include <c10/core/Allocator.h>
#include <c10/util/ThreadLocalDebugInfo.h>

#include <algorithm>

using namespace hs;

namespace {

model::ArchSpec shape(int layers, int width)
{
    return test::value(model::readArchSpec({{"model_type", "gpt2"},
                                            {"n_layer", layers},
                                            {"n_head", 8},
                                            {"n_embd", width},
                                            {"n_positions", 64},
                                            {"vocab_size", 355}}));
}

model::ArchSpec llamaShape(int layers, int width, int vocabulary)
{
    return test::value(model::readArchSpec({{"model_type", "llama"},
                                            {"num_hidden_layers", layers},
                                            {"num_attention_heads", 4},
                                            {"num_key_value_heads", 2},
                                            {"hidden_size", width},
                                            {"intermediate_size", 3 * width},
                                            {"max_position_embeddings", 128},
                                            {"rms_norm_eps", 1e-5},
                                            {"vocab_size", vocabulary}}));
}

std::string memoryRefusal(const model::ArchSpec& spec, const train::TrainingSize& size)
{
    try {
        train::requireTrainingMemory(spec, size, engine::Device{});
    } catch (const Failure& failure) {
        return failure.error().message;
    }
    return {};
}

/// Counts what torch allocates on the processor while it is installed, and the most there was at once.
class Counter : public c10::MemoryReportingInfoBase {
public:
    // Versions of torch differ in the type of the totals; one of the two is the one that is called.
    // NOLINTBEGIN(modernize-use-override)
    void reportMemoryUsage(void*, std::int64_t bytes, std::int64_t, std::int64_t, c10::Device)
    {
        count(bytes);
    }
    void reportMemoryUsage(void*, std::int64_t bytes, std::size_t, std::size_t, c10::Device) { count(bytes); }
    // NOLINTEND(modernize-use-override)
    bool memoryProfilingEnabled() const override { return true; }

    std::int64_t most = 0;

private:
    void count(std::int64_t bytes)
    {
        m_now += bytes;
        most = std::max(most, m_now);
    }

    std::int64_t m_now = 0;
};

train::Batch evenBatch(const train::TrainingSize& size, int vocabulary)
{
    train::Batch batch;
    batch.rows = static_cast<int>(size.rows);
    batch.length = static_cast<int>(size.length);
    batch.lengths.assign(batch.rows, batch.length);
    batch.groups.assign(batch.rows, 0);
    for (int cell = 0; cell < batch.rows * batch.length; ++cell) {
        batch.tokens.push_back(cell % vocabulary);
        batch.weights.push_back((cell + 1) % batch.length == 0 ? 0.0f : 1.0f);
    }
    return batch;
}

/// The most that a step takes at once, all vectors included.
std::int64_t measuredMemory(const model::ArchSpec& spec, const train::TrainingSize& size)
{
    const auto model = test::value(engine::randomModel(spec, 1, {engine::Device{}, model::DType::F32}));
    const auto counter = std::make_shared<Counter>();
    const c10::DebugInfoGuard counting(c10::DebugInfoKind::PROFILER_STATE, counter);
    const std::unique_ptr<train::Trainable> trainable =
        train::makeTrainable(spec, &model->weights(), size.economy);
    train::TrainingVectors vectors =
        train::startingVectors(trainable->start(1), engine::torchType(size.economy.states));
    train::Options options;
    if (size.distils)
        options.sparsity.emplace();
    train::TrainingStep step(
        {spec, options, *trainable, at::kFloat, size.distils ? &model->weights() : nullptr, 1,
         size.isFused ? train::Operations::Fused : train::Operations::Plain, size.economy.recomputes},
        vectors);
    step.run(evenBatch(size, static_cast<int>(spec.vocabulary)), 0, 1);
    return counter->most;
}

}  // namespace

TEST_CASE("a training that cannot fit is refused with what would help and how much that takes")
{
    CHECK(memoryRefusal(shape(8, 192), {1 << 8, 64, true}).empty());
    const std::string tooMany = memoryRefusal(shape(8, 192), {std::int64_t{1} << 34, 64});
    CHECK(tooMany.find("take a smaller model") != std::string::npos);
    CHECK(memoryRefusal(shape(1000, 65536), {1, 64}).find("take a smaller model") != std::string::npos);

    // A little more than there is: the next smaller things fit.
    const std::uint64_t room = *engine::availableMemory(engine::Device{});
    train::TrainingSize size{64, 64, true};
    const model::ArchSpec spec = shape(8, 192);
    while (train::forecastTraining(spec, size).total() < room + room / 2)
        size.rows *= 2;
    const std::string refused = memoryRefusal(spec, size);
    INFO(refused);
    CHECK(refused.find("--rows " + std::to_string(size.rows / 4) + " (") != std::string::npos);
    train::TrainingSize fewer = size;
    fewer.economy.recomputes = true;
    CHECK((train::forecastTraining(spec, fewer).total() <= room) ==
          (refused.find("--checkpoint-activations (") != std::string::npos));
}

TEST_CASE("the forecast of a training is what a step takes, within a factor")
{
    // From a tenth less than what a step is seen to take to half more: it counts all parts as if they were
    // there together.
    const auto check = [](const char* what, const model::ArchSpec& spec, const train::TrainingSize& size) {
        const train::TrainingForecast forecast = train::forecastTraining(spec, size);
        const double predicted = static_cast<double>(forecast.total() - forecast.loaded);
        const auto taken = static_cast<double>(measuredMemory(spec, size));
        INFO(what << ": predicted " << predicted << ", taken " << taken << ", factor " << predicted / taken);
        REQUIRE(predicted > 0.9 * taken);
        REQUIRE(predicted < 1.5 * taken);
    };
    const train::AdapterOptions adapter{4, 8, {"all-linear"}};
    const train::TrainingSize rows{16, 64, true};
    for (const bool hasManyWords : {false, true}) {
        const model::ArchSpec spec = llamaShape(6, 128, hasManyWords ? 4000 : 100);
        check("all weights", spec, rows);
        train::TrainingSize size = rows;
        size.economy.recomputes = true;
        check("recomputed", spec, size);
        size.economy.adapter = adapter;
        check("recomputed adapter", spec, size);
        size.economy.recomputes = false;
        check("adapter", spec, size);
        size = rows;
        size.economy.part = train::TrainedPart::Attention;
        check("attention alone", spec, size);
        size = rows;
        size.economy.states = model::DType::BF16;
        check("narrow moments", spec, size);
        size.rows = 1;
        check("one row", spec, size);
        size = rows;
        size.distils = false;
        check("without a teacher", spec, size);
    }
    check("GPT-2", shape(6, 128), rows);
}

TEST_CASE("the forecast grows with rows, teacher and width, and each economy makes it smaller")
{
    const model::ArchSpec spec = shape(8, 192);
    const auto total = [&](const train::TrainingSize& size) {
        return train::forecastTraining(spec, size).total();
    };
    const train::TrainingSize size{64, 16, true};
    CHECK(total(size) > 4u * static_cast<std::uint64_t>(model::parameterCount(spec)) * sizeof(float));
    CHECK(total({128, 16, true}) > total(size));
    CHECK(total({64, 16, false}) < total(size));
    CHECK(total({64, 16, true, model::DType::BF16}) < total(size));
    train::TrainingSize smaller = size;
    smaller.economy.states = model::DType::BF16;
    CHECK(total(smaller) == total(size) - 4u * static_cast<std::uint64_t>(model::parameterCount(spec)));
    smaller = size;
    smaller.economy.recomputes = true;
    CHECK(total(smaller) < total(size));
    smaller = size;
    smaller.economy.adapter.emplace();
    CHECK(total(smaller) < total(size));
}

TEST_CASE("a 7B shape fits on one large GPU with an adapter, and not with all its weights")
{
    Json config = {{"model_type", "olmo"},           {"num_hidden_layers", 32},
                   {"num_attention_heads", 32},      {"hidden_size", 4096},
                   {"intermediate_size", 11008},     {"vocab_size", 50304},
                   {"max_position_embeddings", 2048}};
    const model::ArchSpec spec = test::value(model::readArchSpec(config));
    train::TrainingSize size{32, 256, true, model::DType::BF16};
    CHECK(train::forecastTraining(spec, size).total() > 139'000'000'000u);
    size.economy.adapter.emplace();
    size.economy.recomputes = true;
    CHECK(train::forecastTraining(spec, size).total() < 40'000'000'000u);
    CHECK(train::forecastTraining(spec, size).of("teacher") == 0);
}

TEST_CASE("a model that is spread over devices is refused by what needs it on one")
{
    const engine::DeviceChoice twice({engine::Device{}, engine::Device{}}, true);
    const auto model = test::value(engine::randomModel(shape(2, 16), 1, {twice, model::DType::F32}));
    const auto refused = guarded([&] {
        train::requireOneDevice(*model);
        return true;
    });
    REQUIRE_FALSE(refused);
    CHECK(refused.error().message.find("name one --device") != std::string::npos);
}
