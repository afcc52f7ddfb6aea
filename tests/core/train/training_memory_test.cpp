#include "train/training_memory.h"

#include "base/failure.h"
#include "model/architectures.h"
#include "model/weight_plan.h"
#include "support/catch.h"
#include "support/models.h"

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

std::string refusalOf(const model::ArchSpec& spec, const train::TrainingSize& size)
{
    try {
        train::requireTrainingMemory(spec, size, engine::Device{});
    } catch (const Failure& failure) {
        return failure.error().message;
    }
    return {};
}

}  // namespace

TEST_CASE("a training that cannot fit is refused with what would help")
{
    CHECK(refusalOf(shape(8, 192), {1 << 14, true}).empty());
    CHECK(refusalOf(shape(8, 192), {std::int64_t{1} << 40}).find("lower --rows") != std::string::npos);
    CHECK(refusalOf(shape(1000, 65536), {64}).find("smaller model") != std::string::npos);
}

TEST_CASE("the forecast of a training is more than its weights, and grows with rows, teacher and width")
{
    const model::ArchSpec spec = shape(8, 192);
    const std::uint64_t least = train::leastTrainingMemory(spec, {});
    CHECK(least > 4u * static_cast<std::uint64_t>(model::parameterCount(spec)) * sizeof(float));
    CHECK(train::leastTrainingMemory(spec, {1024}) > least);
    CHECK(train::leastTrainingMemory(spec, {1024, true}) > train::leastTrainingMemory(spec, {1024}));
    CHECK(train::leastTrainingMemory(spec, {1024, true, model::DType::BF16}) <
          train::leastTrainingMemory(spec, {1024, true}));
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
