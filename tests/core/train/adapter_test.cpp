#include "train/adapter_tensors.h"

#include "base/failure.h"
#include "core/train/fused_targets.h"
#include "core/train/odd_batch.h"
#include "engine/device/device_tensors.h"
#include "model/safetensors.h"
#include "support/models.h"
#include "support/temp_dir.h"
#include "train/adapter_writer_tensors.h"
#include "train/forward_tensors.h"

using namespace hs;

namespace {

train::AdapterOptions adapterOptions(std::vector<std::string> targets = {"all-linear"})
{
    return {3, 5.0, std::move(targets)};
}

/// A vector in which B is not zero, as after some steps.
at::Tensor movedVector(const train::LoraAdapter& adapter)
{
    const at::Tensor start = adapter.start(7);
    const at::Generator generator = engine::newGenerator(at::kCPU, 8);
    return start + at::empty({adapter.size()}).normal_(0, 0.05, generator).to(start.device());
}

train::Forward runWith(const engine::Model& model, const train::RunWeights& weights)
{
    const at::Device device = engine::torchDevice(model.facts().device);
    const train::Batch batch = test::oddBatch(model.spec());
    return forward(model.spec(), weights, train::BatchTensors(batch, 2, device),
                   engine::DecoderFrame(model.spec(), batch.length, device), std::nullopt,
                   train::Operations::Fused);
}

/// A number that depends on all logits of the tokens that are there.
at::Tensor anyLoss(const at::Tensor& logits)
{
    const at::Generator generator = engine::newGenerator(at::kCPU, 9);
    return (logits * at::empty(logits.sizes()).normal_(0, 1, generator).to(logits.device())).sum();
}

/// Where the rows of a module begin in the decoder's tensor, by its name.
std::int64_t firstRow(const model::ArchSpec& spec, const std::string& name)
{
    if (name.ends_with(".k_proj"))
        return spec.queryWidth();
    if (name.ends_with(".v_proj"))
        return spec.queryWidth() + spec.kvWidth();
    return name.ends_with("mlp.up_proj") ? spec.intermediate : 0;
}

std::string targetsRefusal(const model::ArchSpec& spec, const train::AdapterOptions& options)
{
    try {
        train::adapterTargets(spec, options);
    } catch (const Failure& failure) {
        return failure.error().message;
    }
    return {};
}

}  // namespace

TEST_CASE("an adapter at its start is the model itself")
{
    // Sums of the same products, which depend on how a matrix lies in memory.
    const auto isSame = [](const at::Tensor& a, const at::Tensor& b) {
        return at::allclose(a, b, 1e-5, 1e-5);
    };
    for (const std::string& name : test::goldenNames()) {
        INFO(name);
        const auto model = test::openGolden(name);
        const train::LoraAdapter adapter(model->spec(), model->weights(), adapterOptions());
        const c10::NoGradGuard fixed;
        CHECK(isSame(runWith(*model, {adapter, adapter.start(3)}).logits,
                     runWith(*model, model->weights()).logits));
        CHECK_FALSE(isSame(runWith(*model, {adapter, movedVector(adapter)}).logits,
                           runWith(*model, model->weights()).logits));
    }
}

TEST_CASE("gradients of an adapter are those of W + B A written out, whatever the architecture")
{
    const std::vector<std::string> targets =
        GENERATE(std::vector<std::string>{"all-linear"}, std::vector<std::string>{"attention"});
    for (const std::string& name : test::goldenNames()) {
        INFO(name << " " << targets.front());
        const auto model = test::openGolden(name);
        const model::ArchSpec& spec = model->spec();
        const train::LoraAdapter adapter(spec, model->weights(), adapterOptions(targets));
        const at::Tensor vector = movedVector(adapter).requires_grad_();
        anyLoss(runWith(*model, {adapter, vector}).logits).backward();

        std::vector<train::Pieces> leaves = adapter.cut(vector.detach());
        engine::ModelWeights sums = model->weights();
        std::vector<at::Tensor> all;
        for (int layer = 0; layer < spec.layers; ++layer)
            for (std::size_t index = 0; index < adapter.targets()[layer].size(); ++index) {
                const model::LinearModule& target = adapter.targets()[layer][index];
                for (const std::size_t which : {2 * index, 2 * index + 1}) {
                    leaves[1 + layer][which] = leaves[1 + layer][which].clone().requires_grad_();
                    all.push_back(leaves[1 + layer][which]);
                }
                const at::Tensor change = at::mm(leaves[1 + layer][2 * index + 1].view({target.out, 3}),
                                                 leaves[1 + layer][2 * index].view({3, target.in})) *
                                          (5.0 / 3.0);
                at::Tensor& sum = sums.layers[layer][static_cast<int>(target.role)];
                const std::int64_t row = firstRow(spec, target.name);
                sum = sum + at::constant_pad_nd(change, {0, 0, row, sum.size(0) - row - target.out});
            }
        anyLoss(runWith(*model, sums).logits).backward();
        const std::vector<train::Pieces> actual = adapter.cut(vector.grad());
        std::size_t next = 0;
        for (int layer = 0; layer < spec.layers; ++layer)
            for (const at::Tensor& piece : actual[1 + layer]) {
                INFO("layer " << layer << ", piece " << next);
                REQUIRE(all[next].grad().norm().item<double>() > 0);
                REQUIRE(distance(piece, all[next++].grad()) < 2e-5);
            }
        REQUIRE(next == all.size());
    }
}

TEST_CASE("a merged adapter runs as the adapter did")
{
    for (const std::string& name : test::goldenNames()) {
        INFO(name);
        const auto model = test::openGolden(name);
        const train::LoraAdapter adapter(model->spec(), model->weights(), adapterOptions());
        const c10::NoGradGuard fixed;
        const at::Tensor vector = movedVector(adapter);
        const test::TempDir folder;
        train::writeModel(folder.path(), model->spec(), adapter.unpack(vector), model::DType::F32,
                          {readJsonFile(test::goldenModels() / name / "config.json"), {}, {}});
        const auto merged = test::openModel(folder.path());
        CHECK(distance(runWith(*merged, merged->weights()).logits,
                       runWith(*model, {adapter, vector}).logits) < 1e-6);
    }
}

TEST_CASE("targets are named as PEFT matches them, and short words mean several")
{
    const auto count = [](const std::string& model, std::vector<std::string> words) {
        const model::ArchSpec spec = test::openGolden(model)->spec();
        return train::adapterTargets(spec, adapterOptions(std::move(words))).front().size();
    };
    CHECK(count("llama-grouped", {"all-linear"}) == 7);
    CHECK(count("llama-grouped", {"attention"}) == 4);
    CHECK(count("llama-grouped", {"q_proj", "v_proj"}) == 2);
    CHECK(count("gpt2", {"all-linear"}) == 4);
    CHECK(count("gpt2", {"c_proj"}) == 2);
    CHECK(count("gpt2", {"attn.c_proj", "c_attn"}) == 2);
    CHECK(count("phi3", {"qkv_proj", "gate_up_proj"}) == 2);
}

TEST_CASE("a target that the model lacks and a rank that saves nothing are refused with what there is")
{
    const model::ArchSpec spec = test::openGolden("gpt2")->spec();
    const std::string missing = targetsRefusal(spec, adapterOptions({"q_proj"}));
    CHECK(missing.find("\"q_proj\"") != std::string::npos);
    CHECK(missing.find("c_attn, c_proj, c_fc, attention") != std::string::npos);
    CHECK(targetsRefusal(spec, {100000, 1, {"all-linear"}}).find("smaller --lora") != std::string::npos);
    CHECK(targetsRefusal(spec, adapterOptions()).empty());
}

TEST_CASE("an adapter is written under PEFT's names, with the gate in config.json")
{
    const auto model = test::openGolden("gpt2");
    model::ArchSpec spec = model->spec();
    spec.gateBias = 0.25;
    const train::LoraAdapter adapter(spec, model->weights(), adapterOptions({"c_attn"}));
    const test::TempDir folder;
    const at::Tensor vector = movedVector(adapter);
    train::writeAdapter(folder.path(), spec, adapter, vector, "org/name",
                        {readJsonFile(test::goldenModels() / "gpt2" / "config.json"), {}, {}});
    const Json config = readJsonFile(folder / "adapter_config.json");
    CHECK(config["peft_type"] == "LORA");
    CHECK(config["r"] == 3);
    CHECK(config["lora_alpha"] == 5.0);
    CHECK(config["target_modules"] == Json{"attn.c_attn"});
    CHECK(config["fan_in_fan_out"] == true);
    CHECK(config["base_model_name_or_path"] == "org/name");
    CHECK(readJsonFile(folder / "config.json")["attention_gate"]["bias"] == 0.25);
    const auto file = model::SafetensorsFile::open(folder / "adapter_model.safetensors");
    const std::string module = "base_model.model.transformer.h.0.attn.c_attn";
    const model::TensorInfo* const a = file.find(module + ".lora_A.weight");
    const model::TensorInfo* const b = file.find(module + ".lora_B.weight");
    REQUIRE(a);
    REQUIRE(b);
    CHECK((a->shape == std::vector<std::int64_t>{3, spec.hidden}));
    CHECK((b->shape == std::vector<std::int64_t>{spec.queryWidth() + 2 * spec.kvWidth(), 3}));
    CHECK_FALSE(std::filesystem::exists(folder / "model.safetensors"));
}
