#include "engine/device/placement.h"

#include "base/failure.h"
#include "model/architectures.h"
#include "model/weight_plan.h"
#include "support/catch.h"
#include "support/mentions.h"
#include "support/models.h"

#include <map>

using namespace hs;

namespace {

constexpr engine::Device kFirst{engine::Device::Kind::Cuda, 0};
constexpr engine::Device kSecond{engine::Device::Kind::Cuda, 1};
constexpr engine::Device kThird{engine::Device::Kind::Cuda, 2};

/// Layers of 68 × 8 numbers and an embedding of 10 × 8, in float32.
model::ArchSpec shape(int layers, bool isTied = true)
{
    return test::value(model::readArchSpec({{"model_type", "llama"},
                                            {"hidden_size", 8},
                                            {"intermediate_size", 12},
                                            {"num_hidden_layers", layers},
                                            {"num_attention_heads", 2},
                                            {"vocab_size", 10},
                                            {"tie_word_embeddings", isTied}}));
}

std::uint64_t layerBytes()
{
    return static_cast<std::uint64_t>(model::parameterCount(shape(3)) - model::parameterCount(shape(2))) *
           sizeof(float);
}

std::uint64_t embeddingBytes()
{
    return 10 * 8 * sizeof(float);
}

engine::FreeMemory free(std::uint64_t first, std::uint64_t others)
{
    return [=](engine::Device device) { return std::optional(device == kFirst ? first : others); };
}

std::vector<int> firstLayers(const engine::Placement& placement)
{
    std::vector<int> first;
    for (const engine::Placement::Part& part : placement.parts)
        first.push_back(part.firstLayer);
    return first;
}

std::string refusalOf(const model::ArchSpec& spec, const engine::DeviceChoice& choice,
                      const engine::FreeMemory& freeOn)
{
    const auto placed = guarded([&] { return engine::placeModel(spec, model::DType::F32, choice, freeOn); });
    REQUIRE_FALSE(placed);
    return placed.error().message;
}

}  // namespace

TEST_CASE("layers are divided evenly where every device has room, and each takes one at least")
{
    const engine::FreeMemory plenty = free(1 << 30, 1 << 30);
    const engine::DeviceChoice two({kFirst, kSecond}, true);
    CHECK(firstLayers(engine::placeModel(shape(12), model::DType::F32, two, plenty)) == std::vector{0, 6});
    CHECK(firstLayers(engine::placeModel(shape(2), model::DType::F32, two, plenty)) == std::vector{0, 1});
    const engine::DeviceChoice three({kFirst, kSecond, kThird}, true);
    const engine::Placement placement = engine::placeModel(shape(4), model::DType::F32, three, plenty);
    REQUIRE(placement.parts.size() == 3);
    CHECK(placement.deviceOf(0) == kFirst);
    CHECK(placement.deviceOf(3) == kThird);
    CHECK(test::mentions(refusalOf(shape(2), three, plenty), "fewer"));
}

TEST_CASE("what a device has no room for goes to those after it")
{
    const engine::DeviceChoice two({kFirst, kSecond}, true);
    const std::uint64_t room = embeddingBytes() + 3 * layerBytes();
    CHECK(firstLayers(engine::placeModel(shape(12), model::DType::F32, two, free(room, 1 << 30))) ==
          std::vector{0, 3});
    CHECK(firstLayers(engine::placeModel(shape(12), model::DType::F32, two, free(room - 1, 1 << 30))) ==
          std::vector{0, 2});
    CHECK(firstLayers(engine::placeModel(shape(12), model::DType::F32, two, free(1 << 30, 4 * layerBytes())))
              .back() > 8);
}

TEST_CASE("weights that fit nowhere are refused with what is free and what to do")
{
    const std::string alone = refusalOf(shape(12), kFirst, free(1000, 0));
    CHECK(test::mentions(alone, "on cuda:0, where 1.0 kB are free"));
    CHECK(test::mentions(alone, "--device cuda:0,cpu"));
    const std::string onCpu = refusalOf(shape(12), engine::Device{}, free(0, 1000));
    CHECK(test::mentions(onCpu, "use --dtype bf16 or a smaller model."));
    const engine::DeviceChoice twice({engine::Device{}, engine::Device{}}, true);
    CHECK(test::mentions(refusalOf(shape(12), twice, free(0, 1000)), "1.0 kB are free"));
}

TEST_CASE("without a list further GPUs are used only when the first has no room")
{
    const engine::DeviceChoice any({kFirst, kSecond}, false);
    const std::uint64_t whole = static_cast<std::uint64_t>(model::parameterCount(shape(12))) * sizeof(float);
    CHECK_FALSE(engine::placeModel(shape(12), model::DType::F32, any, free(2 * whole, 2 * whole)).isSplit());
    const engine::Placement spread =
        engine::placeModel(shape(12), model::DType::F32, any, free(whole, 2 * whole));
    CHECK(firstLayers(spread) == std::vector{0, 6});
    const engine::DeviceChoice only({kFirst}, false);
    CHECK_FALSE(engine::placeModel(shape(12), model::DType::F32, only, free(whole, 0)).isSplit());
}

TEST_CASE("a tied embedding is counted on both ends of a split model")
{
    const engine::DeviceChoice two({kFirst, kSecond}, true);
    const std::uint64_t last = embeddingBytes() + 8 * sizeof(float) + layerBytes();
    CHECK_NOTHROW(engine::placeModel(shape(2), model::DType::F32, two, free(1 << 30, last)));
    CHECK(test::mentions(refusalOf(shape(2), two, free(1 << 30, last - 1)), "are free"));
}

TEST_CASE("a list of devices is read in its order, and refused with what is wrong in it")
{
    const engine::DeviceChoice twice = test::value(engine::chooseDevices("cpu,cpu"));
    CHECK(twice == engine::DeviceChoice({engine::Device{}, engine::Device{}}, true));
    CHECK(toString(twice) == "cpu,cpu");
    CHECK(test::value(engine::chooseDevices("cpu")) == engine::DeviceChoice(engine::Device{}));
    for (const char* bad : {"", "cpu,", ",cpu", "cpu;cpu", "cpu,auto", "cpu,tpu"})
        CHECK_FALSE(engine::chooseDevices(bad));
    const auto single = engine::chooseDevice("cpu,cpu");
    REQUIRE_FALSE(single);
    CHECK(test::mentions(single.error().message, "a single one"));
}

TEST_CASE("people are told which layers lie where")
{
    const engine::Placement placement{{{kFirst, 0}, {engine::Device{}, 16}}};
    CHECK(toString(placement) == "cuda:0,cpu");
    CHECK(engine::describeLayers(placement, 32) == "Layers 0 to 15 are on cuda:0, 16 to 31 on cpu.");
}
