#include "model/architectures.h"
#include "model/weight_plan.h"
#include "support/catch.h"

#include <cmath>
#include <map>

using namespace hs;

namespace {

Json llama()
{
    return {{"model_type", "llama"},  {"hidden_size", 64},        {"intermediate_size", 172},
            {"num_hidden_layers", 5}, {"num_attention_heads", 8}, {"num_key_value_heads", 4},
            {"vocab_size", 512},      {"rms_norm_eps", 1e-5}};
}

model::ArchSpec specOf(const Json& config)
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
    CHECK(specOf(four) == specOf(five));
    CHECK(specOf(four).rope.kind == model::Rope::Kind::Llama3);
}

TEST_CASE("an unknown model_type is named and what works is listed")
{
    const auto spec = model::readArchSpec({{"model_type", "mamba"}});
    REQUIRE_FALSE(spec);
    CHECK(spec.error().message.find("\"mamba\"") != std::string::npos);
    for (const std::string type : {"gemma2", "gemma3", "gpt2", "gpt_neo", "gpt_neox", "olmo", "olmo2",
                                   "olmo3", "llama", "mistral", "opt", "phi3", "qwen2", "qwen3"})
        CHECK(spec.error().message.find(type) != std::string::npos);
    CHECK(spec.error().message.find("\"Adding an architecture\"") != std::string::npos);
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
    CHECK(refuse("rope_scaling", {{"type", "dynamic"}}).find("dynamic") != std::string::npos);
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
    CHECK(specOf(mistral).windows == std::vector<int>(5, 4096));
    mistral["sliding_window"] = nullptr;
    CHECK(specOf(mistral).windows == std::vector<int>(5, 0));

    Json qwen = llama();
    qwen["model_type"] = "qwen2";
    qwen["sliding_window"] = 7;
    qwen["max_window_layers"] = 3;
    CHECK(specOf(qwen).windows == std::vector<int>(5, 0));
    qwen["use_sliding_window"] = true;
    CHECK(specOf(qwen).windows == std::vector<int>({0, 0, 0, 7, 7}));
    qwen["layer_types"] = {"sliding_attention", "full_attention", "full_attention", "full_attention",
                           "full_attention"};
    CHECK(specOf(qwen).windows == std::vector<int>({7, 0, 0, 0, 0}));
    qwen["layer_types"] = {"sliding_attention"};
    CHECK_FALSE(model::readArchSpec(qwen));
}

TEST_CASE("layers slide as their family says where config.json does not")
{
    const auto windowsOf = [](const char* type) {
        Json config = llama();
        config["model_type"] = type;
        config["sliding_window"] = 7;
        return specOf(config).windows;
    };
    CHECK(windowsOf("gemma2") == std::vector<int>({7, 0, 7, 0, 7}));
    CHECK(windowsOf("gemma3_text") == std::vector<int>(5, 7));
    CHECK(windowsOf("olmo3") == std::vector<int>({7, 7, 7, 0, 7}));
    CHECK(windowsOf("phi3") == std::vector<int>(5, 7));

    Json neo = {{"model_type", "gpt_neo"}, {"num_layers", 3}, {"num_heads", 4}, {"hidden_size", 32}};
    CHECK(specOf(neo).windows == std::vector<int>({0, 256, 0}));
    neo["attention_types"] = Json::parse(R"([[["local"], 2], [["global"], 1]])");
    neo["window_size"] = 5;
    CHECK(specOf(neo).windows == std::vector<int>({5, 5, 0}));
    neo["attention_types"] = Json::parse(R"([[["local", "global"], 1000000]])");
    CHECK_FALSE(model::readArchSpec(neo));
    neo["attention_types"] = Json::parse(R"([[["local", "global"], 4]])");
    CHECK_FALSE(model::readArchSpec(neo));
}

TEST_CASE("the text part of a model that sees pictures is specOf with transformers' defaults")
{
    const model::ArchSpec gemma = specOf({{"model_type", "gemma3"},
                                          {"dtype", "bfloat16"},
                                          {"text_config",
                                           {{"model_type", "gemma3_text"},
                                            {"hidden_size", 2560},
                                            {"intermediate_size", 10240},
                                            {"num_hidden_layers", 34},
                                            {"sliding_window", 1024},
                                            {"rope_scaling", {{"rope_type", "linear"}, {"factor", 8.0}}}}}});
    CHECK(gemma.modelType == "gemma3_text");
    CHECK(gemma.headShape() == HeadShape{34, 8, 4});
    CHECK(gemma.headDim == 256);
    CHECK(gemma.vocabulary == 262208);
    CHECK(gemma.windows[4] == 1024);
    CHECK(gemma.windows[5] == 0);
    CHECK(gemma.rope.factor == 8);
    CHECK(gemma.rope.theta == 1e6);
    REQUIRE(gemma.localRope);
    CHECK(*gemma.localRope == model::Rope{});
    CHECK(gemma.isTied);
    CHECK(gemma.dtypeName == "bfloat16");

    const model::ArchSpec llava =
        specOf({{"model_type", "llava"}, {"text_config", {{"model_type", "llama"}, {"vocab_size", 32064}}}});
    CHECK(llava.headShape() == HeadShape{32, 32, 32});
    CHECK(llava.vocabulary == 32064);

    const auto unknown =
        model::readArchSpec({{"model_type", "seer"}, {"text_config", {{"model_type", "seer_words"}}}});
    REQUIRE_FALSE(unknown);
    CHECK(unknown.error().message.find("\"seer_words\"") != std::string::npos);
}

TEST_CASE("what the decoder cannot do is refused with what it is")
{
    const auto refuse = [](Json config, const char* key, Json value) {
        config[key] = std::move(value);
        const auto spec = model::readArchSpec(config);
        INFO(config.dump());
        REQUIRE_FALSE(spec);
        return spec.error().message;
    };
    const auto like = [](const char* type) {
        Json config = llama();
        config["model_type"] = type;
        config["ffn_dim"] = 172;
        return config;
    };
    CHECK(refuse(like("opt"), "do_layer_norm_before", false).find("opt-350m") != std::string::npos);
    CHECK(refuse(like("opt"), "word_embed_proj_dim", 32).find("embeddings") != std::string::npos);
    CHECK(refuse(like("gemma3_text"), "use_bidirectional_attention", true).find("later tokens") !=
          std::string::npos);
    CHECK(refuse(like("gemma2"), "layer_types", Json(std::vector<std::string>(5, "linear_attention")))
              .find("linear") != std::string::npos);
    CHECK(refuse(like("phi3"), "rope_scaling", {{"type", "longrope"}}).find("short_factor") !=
          std::string::npos);
    CHECK(refuse(like("olmo3"), "rope_scaling", {{"rope_type", "ntk"}}).find("ntk") != std::string::npos);
}

TEST_CASE("a gate in config.json marks a sparse model")
{
    CHECK_FALSE(specOf(llama()).gateBias);
    Json sparse = llama();
    sparse["attention_gate"] = {{"type", "score"}, {"bias", -0.5}};
    CHECK(specOf(sparse).gateBias == -0.5);
}

TEST_CASE("tensor names lose the wrappers that checkpoints differ in")
{
    CHECK(model::bareTensorName("model.layers.0.mlp.up_proj.weight") == "layers.0.mlp.up_proj.weight");
    CHECK(model::bareTensorName("_orig_mod.transformer.h.3.ln_1.bias") == "h.3.ln_1.bias");
    CHECK(model::bareTensorName("module._orig_mod.gpt_neox.embed_in.weight") == "embed_in.weight");
    CHECK(model::bareTensorName("wte.weight") == "wte.weight");
    CHECK(model::bareTensorName("model.decoder.layers.0.fc1.weight") == "layers.0.fc1.weight");
    CHECK(model::bareTensorName("language_model.model.norm.weight") == "norm.weight");
    CHECK(model::bareTensorName("model.language_model.norm.weight") == "norm.weight");
    CHECK(model::bareTensorName("model.vision_tower.norm.weight") == "vision_tower.norm.weight");
}

TEST_CASE("norms before and after, of 1 + w, are planned where Gemma has them")
{
    Json config = llama();
    config["model_type"] = "gemma2";
    config["head_dim"] = 8;
    std::vector<std::string> norms;
    for (const model::PlannedTensor& planned : model::planWeights(specOf(config)))
        if (isNormWeight(planned.role) && planned.layer == 0) {
            norms.push_back(planned.parts.front().name);
            CHECK(planned.arrangement == model::Arrangement::PlusOne);
        }
    CHECK(norms == std::vector<std::string>({"layers.0.input_layernorm.weight",
                                             "layers.0.post_attention_layernorm.weight",
                                             "layers.0.pre_feedforward_layernorm.weight",
                                             "layers.0.post_feedforward_layernorm.weight", "norm.weight"}));
}

TEST_CASE("the plan of GPT-2 small has its number of parameters")
{
    const model::ArchSpec gpt2 =
        specOf({{"model_type", "gpt2"}, {"n_layer", 12}, {"n_head", 12}, {"n_embd", 768}});
    CHECK(model::parameterCount(gpt2) == 124439808);
}

TEST_CASE("rotary frequencies are rounded where transformers rounds them")
{
    model::Rope rope;
    rope.theta = 500000;
    const std::vector<float> frequencies = model::rotaryFrequencies(rope, 80, 1);
    REQUIRE(frequencies.size() == 40);
    const std::map<std::size_t, float> theirs = {
        {0, 1}, {21, 0.00101868727f}, {26, 0.000197546644f}, {31, 3.83087863e-05f}, {39, 2.77654112e-06f}};
    for (const auto& [pair, frequency] : theirs)
        CHECK(std::abs(frequencies[pair] - frequency) <= 1.2e-7f * frequency);
}
