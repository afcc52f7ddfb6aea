#include "model/architectures.h"
#include "model/weight_plan.h"
#include "support/catch.h"

using namespace hs;

namespace {

Json llama()
{
    return {{"model_type", "llama"},  {"hidden_size", 64},        {"intermediate_size", 172},
            {"num_hidden_layers", 5}, {"num_attention_heads", 8}, {"num_key_value_heads", 4},
            {"vocab_size", 512},      {"rms_norm_eps", 1e-5}};
}

model::ArchSpec read(const Json& config)
{
    const Result<model::ArchSpec> spec = model::readArchSpec(config);
    if (!spec)
        FAIL(spec.error().message);
    return *spec;
}

}  // namespace

TEST_CASE("both styles of config.json say the same")
{
    Json four = llama();
    four["rope_theta"] = 500000.0;
    four["rope_scaling"] = {{"rope_type", "llama3"},
                            {"factor", 8.0},
                            {"low_freq_factor", 1.0},
                            {"high_freq_factor", 4.0},
                            {"original_max_position_embeddings", 16}};
    four["torch_dtype"] = "bfloat16";
    Json five = llama();
    five["rope_parameters"] = four["rope_scaling"];
    five["rope_parameters"]["rope_theta"] = 500000.0;
    five["dtype"] = "bfloat16";
    CHECK(read(four) == read(five));
    CHECK(read(four).ropeScaling.kind == model::RopeScaling::Kind::Llama3);
}

TEST_CASE("an unknown model_type is named and what works is listed")
{
    const auto spec = model::readArchSpec({{"model_type", "mamba"}});
    REQUIRE_FALSE(spec);
    CHECK(spec.error().message.find("\"mamba\"") != std::string::npos);
    for (const std::string type : {"gpt2", "gpt_neox", "olmo", "olmo2", "llama", "mistral", "qwen2", "qwen3"})
        CHECK(spec.error().message.find(type) != std::string::npos);
}

TEST_CASE("absurd values in config.json are refused by key")
{
    const auto refuse = [](const char* key, Json value) {
        Json config = llama();
        config[key] = std::move(value);
        const auto spec = model::readArchSpec(config);
        INFO(config.dump());
        REQUIRE_FALSE(spec);
        return spec.error().message;
    };
    for (const char* key :
         {"hidden_size", "num_hidden_layers", "num_attention_heads", "vocab_size", "intermediate_size",
          "num_key_value_heads", "head_dim", "max_position_embeddings"})
        for (const Json& value : {Json(0), Json(-3), Json(1e300), Json(2.5), Json("many"), Json(true),
                                  Json::array({1}), Json(9223372036854775807)})
            CHECK(refuse(key, value).find(key) != std::string::npos);
    CHECK(refuse("num_key_value_heads", 3).find("divide") != std::string::npos);
    CHECK(refuse("rope_scaling", {{"type", "yarn"}}).find("yarn") != std::string::npos);
    CHECK(refuse("rope_theta", 0).find("rope_theta") != std::string::npos);
    CHECK(refuse("rms_norm_eps", "x").find("rms_norm_eps") != std::string::npos);
    CHECK(refuse("hidden_act", "laplace").find("laplace") != std::string::npos);
    CHECK(refuse("attention_gate", {{"type", "magic"}}).find("magic") != std::string::npos);
    CHECK(refuse("attention_gate", 3).find("attention_gate") != std::string::npos);
    for (const Json& config : {Json(), Json(3), Json::array(), Json::object()})
        CHECK_FALSE(model::readArchSpec(config));
}

TEST_CASE("a sliding window follows transformers' defaults")
{
    Json mistral = llama();
    mistral["model_type"] = "mistral";
    CHECK(read(mistral).windows == std::vector<int>(5, 4096));
    mistral["sliding_window"] = nullptr;
    CHECK(read(mistral).windows == std::vector<int>(5, 0));

    Json qwen = llama();
    qwen["model_type"] = "qwen2";
    qwen["sliding_window"] = 7;
    qwen["max_window_layers"] = 3;
    CHECK(read(qwen).windows == std::vector<int>(5, 0));
    qwen["use_sliding_window"] = true;
    CHECK(read(qwen).windows == std::vector<int>({0, 0, 0, 7, 7}));
    qwen["layer_types"] = {"sliding_attention", "full_attention", "full_attention", "full_attention",
                           "full_attention"};
    CHECK(read(qwen).windows == std::vector<int>({7, 0, 0, 0, 0}));
    qwen["layer_types"] = {"sliding_attention"};
    CHECK_FALSE(model::readArchSpec(qwen));
}

TEST_CASE("a gate in config.json marks a sparse model")
{
    CHECK_FALSE(read(llama()).gateBias);
    Json sparse = llama();
    sparse["attention_gate"] = {{"type", "score"}, {"bias", -0.5}};
    CHECK(read(sparse).gateBias == -0.5);
}

TEST_CASE("tensor names lose the wrappers that checkpoints differ in")
{
    CHECK(model::bareTensorName("model.layers.0.mlp.up_proj.weight") == "layers.0.mlp.up_proj.weight");
    CHECK(model::bareTensorName("_orig_mod.transformer.h.3.ln_1.bias") == "h.3.ln_1.bias");
    CHECK(model::bareTensorName("module._orig_mod.gpt_neox.embed_in.weight") == "embed_in.weight");
    CHECK(model::bareTensorName("wte.weight") == "wte.weight");
}

TEST_CASE("the plan of GPT-2 small has its number of parameters")
{
    const model::ArchSpec gpt2 =
        read({{"model_type", "gpt2"}, {"n_layer", 12}, {"n_head", 12}, {"n_embd", 768}});
    CHECK(model::parameterCount(gpt2) == 124439808);
}
