#include "program.h"
#include "refusal.h"
#include "support/catch.h"
#include "support/npz.h"
#include "support/temp_dir.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <fstream>

using namespace hs::test;
using Json = nlohmann::json;
namespace fs = std::filesystem;

namespace {

const std::string kTokens = "3,14,15,9,26,5,3,14,58,9,7";

}  // namespace

TEST_CASE("run prints the contract's JSON and writes arrays for numpy")
{
    const TempDir folder;
    const std::string npz = (folder / "out.npz").string();
    const Outcome outcome = headscope({"run", "--model", golden("llama-grouped").string(), "--tokens",
                                       kTokens, "--json", "-", "--npz", npz, "--top", "3", "--dtype", "f32"});
    INFO(outcome.err);
    REQUIRE(outcome.exitCode == 0);
    const Json json = Json::parse(outcome.out);
    CHECK(json["tokens"].size() == 11);
    CHECK(json["tokens"][1]["id"] == 14);
    REQUIRE(json["predictions"].size() == 3);
    for (const char* key : {"id", "text", "prob", "logit"})
        CHECK(json["predictions"][0].contains(key));
    for (const char* key : {"loss", "density", "timing_ms"})
        CHECK(json[key].is_number());
    CHECK(json["precision"] == "float32");

    const auto arrays = readNpz(npz);
    CHECK(arrays.at("tokens").type == "<i8");
    CHECK(arrays.at("attention").shape == std::vector<std::int64_t>{2, 6, 11, 11});
    CHECK(arrays.at("logits").shape == std::vector<std::int64_t>{11, 61});
    const std::vector<float> logits = arrays.at("logits").as<float>();
    const std::int64_t best = std::max_element(logits.end() - 61, logits.end()) - (logits.end() - 61);
    CHECK(json["predictions"][0]["id"] == best);
}

TEST_CASE("ablations and the gate on the command line change the run")
{
    const auto loss = [](std::vector<std::string> more) {
        std::vector<std::string> arguments = {"run", "--model", golden("olmo2").string(), "--tokens",
                                              kTokens};
        arguments.insert(arguments.end(), more.begin(), more.end());
        const Outcome outcome = headscope(arguments);
        INFO(outcome.err);
        REQUIRE(outcome.exitCode == 0);
        return Json::parse(outcome.out)["loss"].get<double>();
    };
    const double plain = loss({});
    CHECK(loss({"--ablate", "L0H1"}) != plain);
    CHECK(loss({"--ablate", "L0H1:mean"}) != loss({"--ablate", "L0H1:zero"}));
    CHECK(loss({"--ablate", "L1KV0"}) == loss({"--ablate", "L1H0,L1H1,L1H2"}));
    CHECK(loss({"--gate", "score"}) != plain);
    CHECK(loss({"--gate", "score", "--gate-bias", "1e5"}) == Approx(plain));
    CHECK(loss({"--gate", "off", "--gate-bias", "0.5"}) == plain);
}

TEST_CASE("metrics gives a row for each head")
{
    const Outcome outcome = headscope({"metrics", "--model", golden("qwen2").string(), "--tokens", kTokens});
    REQUIRE(outcome.exitCode == 0);
    CHECK(outcome.out.starts_with(
        "layer,head,previous_token,current_token,first_token,duplicate_token,induction,"));
    CHECK(std::count(outcome.out.begin(), outcome.out.end(), '\n') == 1 + 3 * 6);
    const Outcome json =
        headscope({"metrics", "--model", golden("qwen2").string(), "--tokens", "1", "--json", "-"});
    CHECK(Json::parse(json.out)["heads"][0]["previous_token"].is_null());
}

TEST_CASE("metrics of heads and MLPs say what each writes, and leave empty what takes a pattern")
{
    const std::string model = golden("qwen2").string();
    const auto written = [&](std::vector<std::string> more) {
        std::vector<std::string> words = {"metrics", "--model", model,       "--tokens",
                                          kTokens,   "--units", "heads+mlps"};
        words.insert(words.end(), more.begin(), more.end());
        const Outcome outcome = headscope(words);
        INFO(outcome.err);
        REQUIRE(outcome.exitCode == 0);
        return outcome.out;
    };
    const std::string csv = written({});
    CHECK(std::count(csv.begin(), csv.end(), '\n') == 1 + 3 * 7);
    CHECK(csv.substr(0, csv.find('\n')).ends_with(",off_diagonal_above_half,logit,norm"));
    CHECK(csv.find("\n1,MLP,,,,,,,,,,,,,") != std::string::npos);

    const Json json = Json::parse(written({"--json", "-", "--ablate", "L1H2,L2MLP"}));
    REQUIRE(json["mlps"].size() == 3);
    CHECK(json["mlps"][0]["head"] == "MLP");
    CHECK(json["mlps"][0]["norm"].get<double>() > 0);
    CHECK(json["mlps"][2]["norm"].get<double>() == 0);
    CHECK(json["mlps"][2]["logit"].get<double>() == 0);
    CHECK(json["heads"][8]["norm"].get<double>() == 0);
    CHECK(json["heads"][7]["norm"].get<double>() > 0);

    const Outcome run = headscope({"run", "--model", model, "--tokens", kTokens, "--ablate", "L1H2,L2MLP",
                                   "--top", "1", "--json", "-"});
    const std::string target = Json::parse(run.out)["predictions"][0]["id"].dump();
    const Json parts = Json::parse(headscope({"attribute", "--model", model, "--tokens", kTokens, "--ablate",
                                              "L1H2,L2MLP", "--target", target})
                                       .out);
    for (const char* const list : {"heads", "mlps"})
        for (const Json& row : json[list])
            for (const Json& part : parts[list])
                if (part["layer"] == row["layer"] && part["head"] == row["head"])
                    CHECK(row["logit"].get<double>() == part["value"].get<double>());
}

TEST_CASE("tokenize goes both ways")
{
    const Outcome there =
        headscope({"tokenize", "--model", "demo:dense", "--text", "Mary gave a drink", "--json", "-"});
    INFO(there.err);
    REQUIRE(there.exitCode == 0);
    const Json json = Json::parse(there.out);
    CHECK(json["ids"].size() == json["texts"].size());
    CHECK(json["ids"].size() == json["offsets"].size());
    std::string ids;
    for (const Json& id : json["ids"])
        ids += (ids.empty() ? "" : ",") + id.dump();
    const Outcome back = headscope({"tokenize", "--model", "demo:dense", "--decode", ids});
    CHECK(back.out.find("Mary gave a drink") != std::string::npos);
}

TEST_CASE("a chat is the prompt of every command, and tokenize says whose each token is")
{
    const TempDir folder;
    const std::string chat =
        folder.write("chat.json", R"([{"role": "user", "content": "When Mary and John went"}])").string();
    const std::vector<std::string> prompt = {"--model", "demo:dense",      "--chat",
                                             chat,      "--chat-template", "gemma3"};
    const auto withChat = [&](std::vector<std::string> arguments) {
        arguments.insert(arguments.end(), prompt.begin(), prompt.end());
        arguments.insert(arguments.end(), {"--json", "-"});
        const Outcome outcome = headscope(arguments);
        INFO(outcome.err);
        REQUIRE(outcome.exitCode == 0);
        CHECK(outcome.err.find("follows the template gemma3 and begins with <bos>, once.") !=
              std::string::npos);
        return Json::parse(outcome.out);
    };
    const Json tokens = withChat({"tokenize"});
    CHECK(tokens["roles"].size() == tokens["ids"].size());
    CHECK(tokens["roles"].front() == "begin");
    CHECK(std::ranges::count(tokens["roles"], Json("user")) > 2);
    std::vector<Json> ids;
    const Json run = withChat({"run"});
    for (const Json& token : run["tokens"])
        ids.push_back(token["id"]);
    CHECK(Json(ids) == tokens["ids"]);

    requireRefusal(headscope({"run", "--model", "demo:dense", "--chat", chat}), "--chat-template");
    requireRefusal(headscope({"run", "--model", "demo:dense", "--chat", chat, "--chat-template", "gemma9"}),
                   "smollm2");
    const std::string tool = folder.write("tool.json", R"([{"role": "tool", "content": ""}])").string();
    requireRefusal(headscope({"run", "--model", "demo:dense", "--chat", tool}), "\"assistant\"");
    const Outcome doubled =
        headscope({"tokenize", "--model", "demo:dense", "--text", "<bos> Mary", "--json", "-"});
    CHECK(Json::parse(doubled.out)["ids"].size() == 2);
    CHECK(doubled.err.find("itself, so no other is put before it.") != std::string::npos);
}

TEST_CASE("the demo pair finishes its own prompts, dense and sparse, and writes on word by word")
{
    const std::string model = GENERATE(as<std::string>(), "demo:dense", "demo:sparse");
    const auto run = [&](const std::string& text) {
        const Outcome outcome =
            headscope({"run", "--model", model, "--text", text, "--generate", "2", "--top", "1"});
        INFO(outcome.err);
        REQUIRE(outcome.exitCode == 0);
        return Json::parse(outcome.out);
    };
    const std::string prompt = "When Mary and John went to the store , John gave a drink to";
    const Json json = run(prompt);
    CHECK(json["predictions"][0]["text"].get<std::string>().find("Mary") != std::string::npos);
    CHECK((json["density"].get<double>() < 0.2) == (model == "demo:sparse"));
    const std::string continuation = json["continuation"];
    CHECK(continuation.find("Mary") != std::string::npos);
    CHECK(continuation.ends_with(run(prompt + " Mary")["predictions"][0]["text"].get<std::string>()));
}

TEST_CASE("a model that is spread over devices answers as the whole one does")
{
    const auto runOn = [](const char* device) {
        const Outcome outcome = headscope({"run", "--model", golden("gpt2").string(), "--tokens", "1,2,3",
                                           "--device", device, "--json", "-"});
        REQUIRE(outcome.exitCode == 0);
        return Json::parse(outcome.out);
    };
    const Json whole = runOn("cpu");
    const Json split = runOn("cpu,cpu");
    CHECK(whole["device"] == "cpu");
    CHECK(split["device"] == "cpu,cpu");
    CHECK(whole["predictions"] == split["predictions"]);
    CHECK(whole["loss"] == split["loss"]);
}

TEST_CASE("usage errors exit with 2, the version and help with 0")
{
    CHECK(headscope({"frobnicate"}).exitCode == 2);
    CHECK(headscope({"run"}).exitCode == 2);
    CHECK(headscope({"run", "--model", "x", "--text", "a", "--tokens", "1"}).exitCode == 2);
    CHECK(headscope({"run", "--model", "x", "--text", "a", "--gate", "maybe"}).exitCode == 2);
    CHECK(headscope({"--version"}).out.starts_with("headscope "));
    CHECK(headscope({"run", "--help"}).exitCode == 0);
}

TEST_CASE("what the user got wrong is said in one sentence")
{
    const std::string model = golden("gpt2").string();
    requireRefusal(headscope({"run", "--model", "some-org/no-such-model", "--tokens", "1"}),
                   "hf download some-org/no-such-model");
    requireRefusal(headscope({"run", "--model", model, "--text", "hello"}), "--tokens");
    requireRefusal(headscope({"run", "--model", model, "--tokens", "1,two"}), "two");
    requireRefusal(headscope({"run", "--model", model, "--tokens", "1,61"}), "61");
    requireRefusal(headscope({"run", "--model", model}), "--text");
    requireRefusal(headscope({"run", "--model", model, "--tokens", "1,2", "--ablate", "L9H0"}), "layers");
    requireRefusal(headscope({"run", "--model", model, "--tokens", "1,2", "--ablate", "L0H0:half"}), ":mean");
    requireRefusal(headscope({"run", "--model", model, "--tokens", "1", "--device", "tpu"}), "cuda");
    requireRefusal(headscope({"run", "--model", model, "--tokens", "1", "--device", "cpu,auto"}), "auto");
    requireRefusal(headscope({"run", "--model", model, "--tokens", "1", "--device", "cpu,cpu,cpu"}), "fewer");
    requireRefusal(headscope({"run", "--model", model, "--tokens", "1", "--npz", "/nowhere/at/all.npz"}),
                   "/nowhere");
    requireRefusal(headscope({"run", "--model", "demo:medium", "--tokens", "1"}), "demo:dense");
    requireRefusal(headscope({"run", "--model", "demo:dense", "--text-file", "/nowhere.txt"}),
                   "/nowhere.txt");
    std::string tooLong = "1";
    for (int i = 0; i < 5000; ++i)
        tooLong += ",1";
    requireRefusal(headscope({"run", "--model", model, "--tokens", tooLong}), "shorten");
}

TEST_CASE("spoilt model files are refused in one sentence")
{
    const auto spoil = [](const std::string& name, const std::string& content) {
        const TempDir folder;
        fs::copy(golden("gpt2"), folder / "model");
        folder.write("model/" + name, content);
        return headscope({"run", "--model", (folder / "model").string(), "--tokens", "1,2,3"});
    };
    std::ifstream file(golden("gpt2") / "model.safetensors", std::ios::binary);
    const std::string weights{std::istreambuf_iterator<char>(file), {}};
    requireRefusal(spoil("model.safetensors", weights.substr(0, weights.size() - 1)), "again");
    requireRefusal(spoil("model.safetensors", weights.substr(0, 100)), "again");
    requireRefusal(spoil("model.safetensors", ""), "model.safetensors");
    requireRefusal(spoil("model.safetensors", std::string(8, '\xff') + weights.substr(8)), "again");
    requireRefusal(spoil("model.safetensors", "GGUF" + weights.substr(4)), "GGUF");
    requireRefusal(spoil("config.json", "{\"model_type\": \"gpt2\", \"n_layer\": 1e99}"), "n_layer");
    requireRefusal(spoil("config.json", "not json"), "JSON");
    requireRefusal(spoil("config.json", "{\"model_type\": \"bert\"}"), "bert");
    requireRefusal(spoil("config.json", std::string(100000, '[')), "nested");

    const TempDir outside;
    fs::copy(golden("gpt2") / "config.json", outside / "config.json");
    outside.write("model.safetensors.index.json", R"({"weight_map": {"wte.weight": "../gpt2.safetensors"}})");
    requireRefusal(headscope({"run", "--model", outside.path().string(), "--tokens", "1"}), "..");
    requireRefusal(headscope({"run", "--model", golden("hostile.pth").string(), "--tokens", "1"}),
                   "state_dict");
}

TEST_CASE("bench --gpu does not time the processor, and its options need it")
{
    requireRefusal(headscope({"bench", "--gpu", "--device", "cpu"}), "--device cpu");
    CHECK(headscope({"bench", "--no-load"}).exitCode == 2);
}
