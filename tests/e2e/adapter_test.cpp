#include "model/adapter/linear_modules.h"
#include "model/architectures.h"
#include "model/safetensors_writer.h"
#include "program.h"
#include "refusal.h"
#include "support/catch.h"
#include "support/temp_dir.h"

#include <nlohmann/json.hpp>

#include <cmath>

using namespace hs;
using namespace hs::test;

namespace {

const std::string kBase = golden("llama-grouped").string();

/// An adapter of the first layer's projections, in a folder that names its base.
std::string writeAdapter(const TempDir& files, const std::string& name, float size,
                         const std::string& base = kBase)
{
    const model::ArchSpec spec =
        orThrow(model::readArchSpec(readJsonFile(golden("llama-grouped") / "config.json")));
    std::vector<model::TensorSpec> tensors;
    const auto modules = model::linearModules(spec);
    for (const model::LinearModule& module : modules.front()) {
        const std::string prefix = "base_model.model." + model::fullTensorName(spec, module.name);
        tensors.push_back({prefix + ".lora_A.weight", model::DType::F32, {2, module.in}});
        tensors.push_back({prefix + ".lora_B.weight", model::DType::F32, {module.out, 2}});
    }
    files.write(
        name + "/adapter_config.json",
        nlohmann::json{{"peft_type", "LORA"}, {"r", 2}, {"lora_alpha", 2}, {"base_model_name_or_path", base}}
            .dump());
    auto writer = model::SafetensorsWriter::create(files / name / "adapter_model.safetensors", tensors);
    for (const model::TensorSpec& tensor : tensors) {
        std::vector<float> numbers(static_cast<std::size_t>(tensor.shape[0] * tensor.shape[1]));
        for (std::size_t index = 0; index < numbers.size(); ++index)
            numbers[index] = size * std::sin(static_cast<float>(index * 7 + tensor.name.size()));
        writer.write(tensor.name, std::as_bytes(std::span(numbers)));
    }
    writer.finish();
    return (files / name).string();
}

nlohmann::json runOf(std::vector<std::string> more)
{
    std::vector<std::string> arguments = {"run", "--tokens", "3,14,15,9,26,5", "--device", "cpu"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    const Outcome outcome = headscope(arguments);
    INFO(outcome.err);
    REQUIRE(outcome.exitCode == 0);
    return nlohmann::json::parse(outcome.out);
}

}  // namespace

TEST_CASE("an adapter is opened by its folder or named with a strength, and all commands take it")
{
    const TempDir files;
    const std::string first = writeAdapter(files, "first", 0.2f);
    const std::string second = writeAdapter(files, "second", 0.3f);
    const auto loss = [](std::vector<std::string> more) {
        return runOf(std::move(more))["loss"].get<double>();
    };
    const double plain = loss({"--model", kBase});
    const double full = loss({"--model", first});
    CHECK(full != plain);
    CHECK(loss({"--model", kBase, "--adapter", first}) == full);
    CHECK(loss({"--model", first, "--adapter", first + ":0"}) == plain);
    CHECK(loss({"--model", first, "--adapter", first + ":0.5"}) ==
          loss({"--model", kBase, "--adapter", first + ":0.5"}));
    CHECK(loss({"--model", first, "--adapter", second}) ==
          loss({"--model", kBase, "--adapter", first, "--adapter", second}));
    const auto said = runOf({"--model", first, "--adapter", second + ":-2", "--generate", "2"});
    CHECK(said["model"] == "first");
    CHECK(said["adapters"].dump() ==
          R"([{"adapter":"first","strength":1.0},{"adapter":"second","strength":-2.0}])");

    const std::vector<std::string> prompt = {"--model",  kBase, "--adapter", first,
                                             "--device", "cpu", "--tokens",  "3,14,15"};
    const auto works = [&](std::vector<std::string> command) {
        command.insert(command.end(), prompt.begin(), prompt.end());
        const Outcome outcome = headscope(command);
        INFO(command.front() << outcome.err);
        CHECK(outcome.exitCode == 0);
    };
    works({"metrics"});
    works({"attribute", "--target", "5"});
    works({"sweep", "--target", "5"});
    works({"flow"});
    works({"scatter"});
    works({"lens"});
    CHECK(headscope({"lens", "--model", first, "--copying"}).exitCode == 0);
    CHECK(headscope({"compare", "--dense", kBase, "--sparse", first, "--tokens", "3,14,15"}).exitCode == 0);
}

TEST_CASE("an adapter that cannot be used is refused with the option that helps")
{
    const TempDir files;
    const std::string lost = writeAdapter(files, "lost", 1, "org/not-here");
    requireRefusal(headscope({"run", "--model", lost, "--tokens", "1,2"}), "--model BASE --adapter " + lost);
    requireRefusal(headscope({"run", "--model", kBase, "--adapter", lost + ":much", "--tokens", "1,2"}),
                   "is no strength of an adapter");
    requireRefusal(
        headscope({"run", "--model", golden("gpt2").string(), "--adapter", lost, "--tokens", "1,2"}),
        "does not have");
    requireRefusal(headscope({"run", "--model", kBase, "--adapter", kBase, "--tokens", "1,2"}),
                   "adapter_config.json");
    requireRefusal(headscope({"compare", "--report", "--dense", kBase, "--sparse", lost}),
                   "reads no adapter");
}
