#include "engine/request/forecast.h"
#include "engine/run/engine.h"
#include "model/architectures.h"
#include "model/safetensors_writer.h"
#include "model/weight_plan.h"
#include "support/catch.h"
#include "support/mentions.h"
#include "support/models.h"
#include "support/npz.h"
#include "support/temp_dir.h"

#include <cmath>
#include <fstream>

using namespace hs;
namespace fs = std::filesystem;

namespace {

Error refusal(const fs::path& where)
{
    const auto files = model::locateModel(where.string(), {});
    if (!files)
        return files.error();
    const auto model = engine::loadModel(*files, test::testOptions());
    REQUIRE_FALSE(model);
    return model.error();
}

const char* const kTinyConfig = R"({"model_type":"llama","hidden_size":8,"intermediate_size":12,
    "num_hidden_layers":1,"num_attention_heads":2,"num_key_value_heads":1,"vocab_size":5,
    "tie_word_embeddings":true})";

/// A tiny llama in `folder`; `spoil` may change the list of its tensors.
void writeTinyModel(const test::TempDir& folder,
                    const std::function<void(std::vector<model::TensorSpec>&)>& spoil)
{
    folder.write("config.json", kTinyConfig);
    std::vector<model::TensorSpec> tensors;
    for (const model::PlannedTensor& planned :
         model::planWeights(test::value(model::readArchSpec(Json::parse(kTinyConfig)))))
        for (const model::PlannedPart& part : planned.parts)
            tensors.push_back({"model." + part.name, model::DType::F32, part.shape});
    spoil(tensors);
    model::SafetensorsWriter writer = model::SafetensorsWriter::create(folder / "model.safetensors", tensors);
    for (const model::TensorSpec& tensor : tensors) {
        std::int64_t bytes = static_cast<std::int64_t>(model::byteSize(tensor.dtype));
        for (const std::int64_t extent : tensor.shape)
            bytes *= extent;
        writer.write(tensor.name, std::vector<std::byte>(static_cast<std::size_t>(bytes)));
    }
    writer.finish();
}

}  // namespace

TEST_CASE("missing tensors are listed by name")
{
    const test::TempDir folder;
    writeTinyModel(folder, [](auto& tensors) {
        std::erase_if(tensors, [](const model::TensorSpec& tensor) {
            return tensor.name.ends_with("o_proj.weight") || tensor.name == "model.norm.weight";
        });
    });
    const Error error = refusal(folder.path());
    CHECK(test::mentions(error.message, "layers.0.self_attn.o_proj.weight"));
    CHECK(test::mentions(error.message, "norm.weight"));
    CHECK(test::mentions(error.message, "2 tensors"));
}

TEST_CASE("a wrong shape is shown beside the right one")
{
    const test::TempDir folder;
    writeTinyModel(folder, [](auto& tensors) {
        for (model::TensorSpec& tensor : tensors)
            if (tensor.name.ends_with("k_proj.weight"))
                tensor.shape = {8, 4};
    });
    const Error error = refusal(folder.path());
    CHECK(test::mentions(error.message, "[8, 4]"));
    CHECK(test::mentions(error.message, "[4, 8]"));
}

TEST_CASE("integer weights are refused by name")
{
    const test::TempDir folder;
    writeTinyModel(folder, [](auto& tensors) { tensors.front().dtype = model::DType::I8; });
    CHECK(test::mentions(refusal(folder.path()).message, "I8"));
}

TEST_CASE("a model whose sizes are absurd is refused before anything is allocated")
{
    const test::TempDir folder;
    writeTinyModel(folder, [](auto&) {});
    folder.write("config.json", R"({"model_type":"llama","hidden_size":1048576,"intermediate_size":1048576,
        "num_hidden_layers":1024,"num_attention_heads":4096,"vocab_size":16777216})");
    CHECK(test::mentions(refusal(folder.path()).message, "lacks"));
}

TEST_CASE("nanoGPT state dicts are read with sizes from beside or from inside the file")
{
    const auto expected = test::readNpz(test::goldenModels() / "nanogpt" / "expected.npz");
    const std::string where =
        GENERATE(as<std::string>(), "nanogpt", "nanogpt/ckpt.pth", "nanogpt-args", "nanogpt-args/ckpt.pt");
    engine::RunRequest request;
    request.model = test::openGolden(where);
    request.tokens = expected.at("tokens").as<std::int64_t>();
    request.capture.logits = true;
    CHECK(request.model->spec().vocabulary == 64);
    CHECK(request.model->spec().heads == 6);
    engine::Engine engine;
    const engine::RunResult result = test::value(engine.run(request));
    const std::vector<float> logits = expected.at("logits").as<float>();
    REQUIRE(result.logits.size() == logits.size());
    for (std::size_t i = 0; i < logits.size(); ++i)
        REQUIRE(std::abs(result.logits[i] - logits[i]) < 1e-3f);
}

TEST_CASE("a Llama state dict beside a config.json is the model that it was saved from, and takes a gate")
{
    const auto expected = test::readNpz(test::goldenModels() / "llama-tied" / "expected.npz");
    const auto runOf = [&](const std::string& where, std::optional<engine::ScoreGate> gate) {
        engine::RunRequest request;
        request.model = test::openGolden(where);
        request.tokens = expected.at("tokens").as<std::int64_t>();
        request.capture.logits = true;
        request.gate = gate;
        engine::Engine engine;
        return test::value(engine.run(request));
    };
    for (const char* const where : {"llama-state-dict", "llama-state-dict/final.pth"})
        for (const std::optional<engine::ScoreGate> gate : {std::optional<engine::ScoreGate>(), {{0.0}}}) {
            const engine::RunResult saved = runOf("llama-tied", gate);
            CHECK(runOf(where, gate).logits == saved.logits);
            CHECK((saved.density < 1) == gate.has_value());
        }
}

TEST_CASE("a pickle that would run code is refused and runs nothing")
{
    const test::TempDir folder;
    fs::copy(test::goldenModels() / "hostile.pth", folder / "hostile.pth");
    const fs::path before = fs::current_path();
    fs::current_path(folder.path());
    const Error error = refusal(folder / "hostile.pth");
    const bool ran = fs::exists("headscope-was-here");
    fs::current_path(before);
    CHECK_FALSE(ran);
    CHECK(test::mentions(error.message, "torch.save(model.state_dict()"));
}

TEST_CASE("a state dict cut short anywhere is refused without a crash")
{
    const test::TempDir folder;
    std::ifstream file(test::goldenModels() / "nanogpt" / "ckpt.pth", std::ios::binary);
    const std::string whole{std::istreambuf_iterator<char>(file), {}};
    for (std::size_t length = 4; length < whole.size(); length += 997) {
        folder.write("cut.pth", whole.substr(0, length));
        CHECK_FALSE(refusal(folder / "cut.pth").message.empty());
    }
}

TEST_CASE("a state dict whose bytes were changed never crashes")
{
    const test::TempDir folder;
    folder.write("config.json", R"({"n_embd":36,"n_head":6,"n_layer":2})");
    std::ifstream file(test::goldenModels() / "nanogpt" / "ckpt.pth", std::ios::binary);
    const std::string whole{std::istreambuf_iterator<char>(file), {}};
    const std::size_t pickle = whole.find("data.pkl");
    REQUIRE(pickle != std::string::npos);
    unsigned state = 12345;
    for (int round = 0; round < 300; ++round) {
        std::string spoilt = whole;
        state = state * 1664525u + 1013904223u;
        // Numbers inside the pickle: sizes, strides, offsets and keys.
        spoilt[pickle + 100 + state % 3000] = static_cast<char>(state >> 24);
        folder.write("ckpt.pth", spoilt);
        const auto files = model::locateModel((folder / "ckpt.pth").string(), {});
        if (files)
            (void)engine::loadModel(*files, test::testOptions()).ok();
    }
    SUCCEED("still here");
}

TEST_CASE("loading can be cancelled and reports its progress")
{
    const model::ModelFiles files =
        test::value(model::locateModel((test::goldenModels() / "gpt2").string(), {}));
    std::stop_source stop;
    int last = -1;
    const Hooks hooks = {[&](int done, int) {
                             CHECK(done > last);
                             last = done;
                             if (done == 3)
                                 stop.request_stop();
                         },
                         stop.get_token()};
    const auto cancelled = engine::loadModel(files, test::testOptions(), hooks);
    REQUIRE_FALSE(cancelled);
    CHECK(cancelled.error().code == ErrorCode::Cancelled);
    CHECK(last == 3);
}

TEST_CASE("the forecast of the weights is what they take")
{
    const std::string name =
        GENERATE(as<std::string>(), "gpt2", "gpt_neox-serial", "olmo", "qwen3", "llama-grouped");
    const auto model = test::openGolden(name);
    std::uint64_t stored = 0;
    for (const auto& entry : fs::directory_iterator(test::goldenModels() / name))
        if (entry.path().extension() == ".safetensors")
            stored += entry.file_size();
    const std::uint64_t forecast = engine::forecastLoad(model->spec(), 4).weights;
    CHECK(forecast == model->facts().weightBytes);
    // The files hold two or four bytes per weight and a header.
    CHECK(forecast <= 2 * stored);
    CHECK(forecast + 200000 >= stored);
}
