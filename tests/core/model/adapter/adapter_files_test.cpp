#include "model/adapter/adapter_files.h"

#include "support/catch.h"
#include "support/mentions.h"
#include "support/temp_dir.h"

using namespace hs;

namespace {

std::string refusalOfConfig(const Json& config)
{
    const test::TempDir files;
    files.write("adapter_config.json", config.dump());
    files.write("adapter_model.safetensors", "");
    const auto located = model::locateAdapter(files.path().string(), {});
    return located ? std::string() : located.error().message;
}

Json lora(const std::string& field = "r", const Json& value = 4)
{
    Json config = {{"peft_type", "LORA"}, {"r", 4}, {"lora_alpha", 8}, {"bias", "none"}};
    config[field] = value;
    return config;
}

}  // namespace

TEST_CASE("an adapter is found as its folder or a file in it, and says its base")
{
    const test::TempDir files;
    files.write("a/adapter_config.json", lora("base_model_name_or_path", "org/base").dump());
    files.write("a/adapter_model.safetensors", "");
    for (const char* const name : {"a", "a/", "a/adapter_config.json", "a/adapter_model.safetensors"}) {
        INFO(name);
        CHECK(model::isAdapter((files / name).string(), {}));
        const auto found = model::locateAdapter((files / name).string(), {});
        REQUIRE(found);
        CHECK(found->title() == "a");
        CHECK(found->config.base == "org/base");
        CHECK(found->config.rank == 4);
        CHECK(found->config.alpha == 8);
    }
    files.write("a/model.safetensors", "");
    CHECK_FALSE(model::isAdapter((files / "a").string(), {}));
    CHECK_FALSE(model::isAdapter((files / "nowhere").string(), {}));
}

TEST_CASE("an adapter whose base is not here asks for it in one sentence")
{
    const test::TempDir files;
    for (const auto& [base, words] : {std::pair("org/base", "is an adapter of \"org/base\""),
                                      std::pair("", "does not say which model it changes")}) {
        files.write("adapter_config.json", lora("base_model_name_or_path", base).dump());
        files.write("adapter_model.safetensors", "");
        const auto found = model::locateAdapter(files.path().string(), {});
        REQUIRE(found);
        model::Environment elsewhere;
        const auto refused = model::locateBase(*found, elsewhere);
        REQUIRE_FALSE(refused);
        CHECK(test::mentions(refused.error().message, words));
        CHECK(
            test::mentions(refused.error().message, "--model BASE --adapter " + files.path().string() + "."));
    }
}

TEST_CASE("adapters that do more than to add B A are refused by name, with the remedy")
{
    const std::pair<Json, std::string> cases[] = {
        {lora("peft_type", "LOHA"), "of the kind \"LOHA\", and only LORA is read"},
        {lora("peft_type", "IA3"), "of the kind \"IA3\""},
        {lora("use_dora", true), "is a DoRA adapter"},
        {lora("bias", "all"), "changes biases, too"},
        {lora("bias", "lora_only"), "changes biases, too"},
        {lora("lora_bias", true), "lora_bias"},
        {lora("modules_to_save", {"lm_head"}), "modules_to_save"},
        {lora("layer_replication", Json{{0, 2}, {1, 3}}), "layer_replication"},
        {lora("trainable_token_indices", {1, 2}), "trainable_token_indices"},
        {lora("target_parameters", {"experts.w"}), "target_parameters"},
        {lora("alora_invocation_tokens", {5}), "alora_invocation_tokens"},
        {lora("use_qalora", true), "use_qalora"},
        {lora("init_lora_weights", "pissa_niter_4"), "init_lora_weights"},
        {lora("init_lora_weights", "olora"), "init_lora_weights"},
    };
    for (const auto& [config, words] : cases) {
        const std::string refusal = refusalOfConfig(config);
        CHECK(test::mentions(refusal, words));
        CHECK(test::mentions(refusal, "merge_and_unload"));
    }
    CHECK(test::mentions(refusalOfConfig(lora("peft_type", "PREFIX_TUNING")), "cannot be merged either"));
    for (const char* const field : {"modules_to_save", "layer_replication", "use_dora", "target_parameters"})
        CHECK(refusalOfConfig(lora(field, nullptr)).empty());
    CHECK(refusalOfConfig(lora("modules_to_save", Json::array())).empty());
    CHECK(refusalOfConfig(lora("init_lora_weights", "gaussian")).empty());
}

TEST_CASE("numbers of an adapter's config are checked before anything is made of them")
{
    for (const Json& rank : {Json(0), Json(-1), Json(1e9), Json("8"), Json(2.5)})
        CHECK(test::mentions(refusalOfConfig(lora("r", rank)), "adapter_config.json"));
    CHECK_FALSE(refusalOfConfig(lora("lora_alpha", 1e300)).empty());
    CHECK_FALSE(refusalOfConfig(lora("rank_pattern", {{"q_proj", 0}})).empty());
    CHECK_FALSE(refusalOfConfig(lora("rank_pattern", {1, 2})).empty());
    CHECK_FALSE(refusalOfConfig(lora("alpha_pattern", {{"q_proj", "much"}})).empty());
    CHECK_FALSE(refusalOfConfig(Json::array()).empty());
}

TEST_CASE("an adapter without one of its files is refused with what is missing")
{
    const test::TempDir files;
    files.write("weights/adapter_model.safetensors", "");
    files.write("config/adapter_config.json", lora().dump());
    const auto refusal = [&](const char* name) {
        const auto located = model::locateAdapter((files / name).string(), {});
        return located ? std::string() : located.error().message;
    };
    CHECK(test::mentions(refusal("weights"), "holds no adapter_config.json"));
    CHECK(test::mentions(refusal("config"), "no adapter_model.safetensors"));
    CHECK(test::mentions(refusal("nowhere"), "There is no adapter at"));
}
