#include "done.h"
#include "refusal.h"
#include "support/catch.h"
#include "training_setup.h"

using namespace hs::test;
using Json = nlohmann::json;
namespace fs = std::filesystem;

namespace {

Words withAdapter(const fs::path& model, const fs::path& out, const std::string& rank = "2")
{
    return {"sparsify", "--model",     model.string(), "--out",           out.string(), "--device",
            "cpu",      "--self",      "0.001",        "--rows",          "4",          "--steps",
            "4",        "--length",    "16",           "--measure-every", "4",          "--lora",
            rank,       "--tolerance", "100"};
}

}  // namespace

TEST_CASE("sparsify with an adapter says what it takes and writes a model that run opens")
{
    const TempDir folder;
    const Outcome outcome = done(
        withAdapter(golden("llama-grouped"), folder / "out") +
        Words{"--lora-targets", "q_proj,k_proj", "--checkpoint-activations", "--optimizer-states", "bf16"});
    CHECK(outcome.err.find("Memory: about ") != std::string::npos);
    for (const char* const part :
         {"dense model ", "weights ", "moments ", "average ", "gradient ", "activations ", "logits "})
        CHECK(outcome.err.find(part) != std::string::npos);
    const Json run =
        Json::parse(done({"run", "--model", (folder / "out").string(), "--tokens", "1,2,3,4"}).out);
    CHECK(run["predictions"].size() == 10);
    CHECK_FALSE(fs::exists(folder / "out/adapter_config.json"));
}

TEST_CASE("sparsify writes an adapter by itself for PEFT, with the gate in config.json")
{
    const TempDir folder;
    done(withAdapter(golden("gpt2"), folder / "out") + Words{"--adapter", "--lora-alpha", "3"});
    const Json config = Json::parse(bytesOf(folder / "out/adapter_config.json"));
    CHECK(config["r"] == 2);
    CHECK(config["lora_alpha"] == 3.0);
    CHECK(fs::equivalent(config["base_model_name_or_path"].get<std::string>(), golden("gpt2")));
    CHECK(Json::parse(bytesOf(folder / "out/config.json")).contains("attention_gate"));
    CHECK(fs::exists(folder / "out/adapter_model.safetensors"));
    CHECK_FALSE(fs::exists(folder / "out/model.safetensors"));
}

TEST_CASE("an adapter that cannot be is refused in one sentence")
{
    const TempDir folder;
    const Words training = withAdapter(golden("gpt2"), folder / "out");
    requireRefusal(headscope(training + Words{"--lora-targets", "q_proj"}), "c_attn");
    requireRefusal(headscope(withAdapter(golden("gpt2"), folder / "out", "60000")), "smaller --lora");
}
