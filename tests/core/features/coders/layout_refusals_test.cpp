#include "core/features/coders/coder_sample.h"
#include "support/catch.h"
#include "support/refusals.h"

#include <fstream>

using namespace hs;
using features::Firing;

namespace {

const std::string kSettings = "model_kind: transcoder_set\n";

/// The sentence that a folder is refused with for the sample's model.
std::string refusal(const std::filesystem::path& folder, const model::ArchSpec& spec)
{
    const auto coders = features::openTranscoders(folder, spec);
    if (coders)
        return "";
    CHECK(coders.error().message.ends_with('.'));
    CHECK(coders.error().code != ErrorCode::Internal);
    return coders.error().message;
}

bool says(const std::string& sentence, const std::string& words)
{
    INFO(sentence);
    CHECK(sentence.find(words) != std::string::npos);
    return true;
}

/// A set in circuit-tracer's layout that can be spoilt.
struct Folder {
    test::TempDir folder;
    test::CoderSample sample;

    explicit Folder(bool crosses = false, Firing firing = Firing::JumpRelu) : sample(firing, crosses, false)
    {
        test::writeCircuitTracer(folder, sample, crosses ? "" : kSettings);
        REQUIRE(refusal(folder.path(), sample.spec()).empty());
    }

    test::Tensors layer(std::size_t index) const
    {
        return {{"W_enc", sample.layers[index].encoder},
                {"b_enc", sample.layers[index].encoderBias},
                {"W_dec", sample.decoders[index].front()},
                {"b_dec", sample.layers[index].decoderBias},
                {"activation_function.threshold", sample.layers[index].threshold}};
    }
    std::string with(const test::Tensors& second) const
    {
        test::writeTensors(folder / "layer_1.safetensors", second);
        return refusal(folder.path(), sample.spec());
    }
    std::string withSettings(const std::string& settings) const
    {
        folder.write("config.yaml", settings);
        return refusal(folder.path(), sample.spec());
    }
};

}  // namespace

TEST_CASE("a set of another model is refused")
{
    const Folder set;
    model::ArchSpec spec = set.sample.spec();
    spec.layers = 4;
    says(refusal(set.folder.path(), spec), "are for 3 layers and the model has 4");
    spec = set.sample.spec();
    spec.hidden = 8;
    says(refusal(set.folder.path(), spec), "width 6 and the model's is 8");
}

TEST_CASE("a set that lacks a layer, or whose layers differ, is refused")
{
    const Folder set;
    test::Tensors tensors = set.layer(1);
    SECTION("missing file")
    {
        std::filesystem::remove(set.folder / "layer_1.safetensors");
        says(refusal(set.folder.path(), set.sample.spec()), "no transcoder of layer 1");
    }
    SECTION("missing tensor")
    {
        tensors.erase("b_dec");
        says(set.with(tensors), "has no tensor \"b_dec\"");
    }
    SECTION("no threshold in one layer")
    {
        tensors.erase("activation_function.threshold");
        says(set.with(tensors), "has no thresholds and other layers are different");
    }
    SECTION("fewer features")
    {
        tensors["W_enc"] = tensors["W_enc"].narrow(0, 0, 7);
        says(set.with(tensors), "has 7 rows instead of 8");
    }
    SECTION("another width")
    {
        tensors["W_dec"] = tensors["W_dec"].narrow(1, 0, 5);
        says(set.with(tensors), "is of shape [8, 5]");
    }
    SECTION("another rank")
    {
        tensors["b_enc"] = tensors["b_enc"].unsqueeze(0);
        says(set.with(tensors), "instead of 1 axes");
    }
    SECTION("whole numbers")
    {
        tensors["b_enc"] = tensors["b_enc"].to(at::kLong);
        says(set.with(tensors), "does not hold floating-point numbers");
    }
    SECTION("nothing in it")
    {
        tensors["W_enc"] = at::zeros({0, 6});
        says(set.with(tensors), "is of shape [0, 6]");
    }
    SECTION("NaN in an encoder")
    {
        tensors["W_enc"] = tensors["W_enc"].clone();
        tensors["W_enc"][3][2] = NAN;
        says(set.with(tensors), "not finite numbers");
    }
    SECTION("a file that ends early")
    {
        std::filesystem::resize_file(set.folder / "layer_1.safetensors", 200);
        says(refusal(set.folder.path(), set.sample.spec()), "download it again");
    }
}

TEST_CASE("a decoder's rows that are no numbers are refused when they are asked for")
{
    const Folder set;
    test::Tensors tensors = set.layer(1);
    tensors["W_dec"] = tensors["W_dec"].clone();
    tensors["W_dec"][3][2] = INFINITY;
    test::writeTensors(set.folder / "layer_1.safetensors", tensors);
    const auto coders = features::openTranscoders(set.folder.path(), set.sample.spec());
    REQUIRE(coders);
    const features::DecoderRows& rows = *(*coders)->weights().decoders;
    const std::vector<std::int64_t> others = {2, 4}, bad = {3};
    CHECK(rows.rows(1, 1, others).size(0) == 2);
    CHECK(test::isRefused([&] { rows.rows(1, 1, bad); }, "not finite numbers"));
}

TEST_CASE("settings of circuit-tracer that cannot be meant are refused")
{
    const Folder set;
    says(set.withSettings("model_kind: lorsa\n"), "should be cross_layer_transcoder or transcoder_set");
    says(set.withSettings(kSettings + "activation: gelu\n"), "should be relu, jump_relu or topk");
    says(set.withSettings(kSettings + "activation: topk\n"), "lacks \"k\"");
    says(set.withSettings(kSettings + "activation: topk\nk: 2\n"), "the weights have thresholds");
    const Folder other(false, Firing::Relu);
    says(other.withSettings(kSettings + "activation: topk\nk: 9\n"), "9 largest of 8");
    says(set.withSettings("model_kind: cross_layer_transcoder\n"), "no weights of transcoders");
    says(set.withSettings("transcoders: [hf://a/b/elsewhere.safetensors]\n"), "is not in that folder");
    says(set.withSettings("transcoders: [../layer_0.safetensors]\n"), "is not in that folder");
    says(set.withSettings("transcoders: [/etc/passwd]\n"), "is not in that folder");
    says(set.withSettings("transcoders: [layer_0.safetensors, layer_0.safetensors, layer_1.safetensors]\n"),
         "names a file twice");
    says(set.withSettings(kSettings + "headscope: {version: 1}\n"), "lacks \"headscope.place\"");
    says(set.withSettings("- a\n- b\n"), "should be an object");
}

TEST_CASE("a cross-layer set whose decoders miss a layer is refused")
{
    const Folder set(true);
    test::writeTensors(set.folder / "W_dec_0.safetensors",
                       {{"W_dec_0", at::stack(set.sample.decoders[0], 1).narrow(1, 0, 2)}});
    says(refusal(set.folder.path(), set.sample.spec()), "writes into 2 layers instead of 3");
}

TEST_CASE("folders without transcoders say what is wrong with them")
{
    const test::TempDir folder;
    const test::CoderSample sample(Firing::Relu, false, false);
    says(refusal(folder / "none", sample.spec()), "is not a folder");
    says(refusal(folder.path(), sample.spec()), "holds no transcoders that are known here");
    folder.write("layer_0/transcoder.pt", "pickle");
    says(refusal(folder.path(), sample.spec()), "is a Python pickle, which can run code");
    folder.write("layer_0.safetensors", "version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 1\n");
    says(refusal(folder.path(), sample.spec()), "git lfs pull");
}

TEST_CASE("sets of sparsify that cannot be opened are refused by name")
{
    const test::TempDir folder;
    const test::CoderSample sample(Firing::ReluTopK, false, false);
    const auto with = [&](const std::string& settings) {
        test::writeSparsify(folder, sample, ", " + settings);
        return refusal(folder.path(), sample.spec());
    };
    says(with(R"("coalesce_topk": "group")"), "coalesce_topk");
    says(with(R"("coalesce_topk": "concat", "topk_coalesced": true)"), "topk_coalesced");
    says(with(R"("secondary_target_tied": true)"), "secondary_target_tied");
    says(with(R"("normalize_io": true)"), "in_norm");
    says(with(R"("n_targets": 2)"), "W_decs.1");
    for (const char* const settings : {R"({"k": 3, "transcode": false})", R"({"k": 3})"}) {
        folder.write("layers.1.mlp/cfg.json", settings);
        says(refusal(folder.path(), sample.spec()), "that of an autoencoder");
    }
    folder.write("layers.1.mlp/cfg.json", R"({"k": 3, "transcode": true, "activation": "groupmax"})");
    says(refusal(folder.path(), sample.spec()), "\"activation\" should be topk");
    folder.write("layers.1.mlp/cfg.json", R"({"k": 4, "transcode": true})");
    says(refusal(folder.path(), sample.spec()), "different settings");
    std::filesystem::rename(folder / "layers.1.mlp", folder / "middle.mlp");
    says(refusal(folder.path(), sample.spec()), "cannot be told");
}

TEST_CASE("what clt-training changes for each target is refused by name")
{
    const test::TempDir folder;
    const test::CoderSample sample(Firing::ReluTopK, true, false);
    test::writeCltTraining(folder, sample);
    const std::string name = GENERATE("post_encs.1", "post_enc_scales.0", "W_skips.1");
    test::Tensors tensors = {{"encoder.weight", sample.layers[0].encoder},
                             {"encoder.bias", sample.layers[0].encoderBias},
                             {"in_norm", at::ones({1})},
                             {"out_norm", at::ones({1})},
                             {"W_skips.0", at::zeros({6, 6})},
                             {name, name == "W_skips.1" ? at::randn({6, 6}) : at::randn({8})}};
    for (int target = 0; target < 3; ++target) {
        tensors["W_decs." + std::to_string(target)] = sample.decoders[0][static_cast<std::size_t>(target)];
        tensors["b_decs." + std::to_string(target)] = sample.layers[0].decoderBias;
    }
    test::writeTensors(folder / "layers.0.mlp/sae.safetensors", tensors);
    says(refusal(folder.path(), sample.spec()), name);
}

TEST_CASE("sets of SAELens that are no transcoders or change their input are refused")
{
    const test::TempDir folder;
    const test::CoderSample sample(Firing::Relu, false, false);
    test::writeSaeLens(folder, sample, false);
    const auto with = [&](const std::string& settings) {
        folder.write("blocks-1/cfg.json",
                     "{" + settings + R"(, "metadata": {"hook_name": "blocks.1.hook_resid_mid"}})");
        return refusal(folder.path(), sample.spec());
    };
    says(with(R"("architecture": "standard")"), "a kind of transcoder");
    says(with(R"("architecture": "transcoder", "normalize_activations": "layer_norm")"),
         "normalize_activations");
    says(with(R"("architecture": "transcoder", "apply_b_dec_to_input": true)"), "apply_b_dec_to_input");
    says(with(R"("architecture": "jumprelu_transcoder")"), "have no threshold");
    says(with(R"("architecture": "transcoder", "activation_fn_str": "topk")"), "activation_fn_str");
    folder.write("blocks-1/cfg.json",
                 R"({"architecture": "transcoder", "metadata": {"hook_name": "blocks.1.mlp.hook_in"}})");
    says(refusal(folder.path(), sample.spec()), "different places");
    folder.write("blocks-1/cfg.json",
                 R"({"architecture": "transcoder", "metadata": {"hook_name": "blocks.0.hook_resid_mid"}})");
    says(refusal(folder.path(), sample.spec()), "two transcoders of layer 0");
}

TEST_CASE("sets of CLT-Forge whose parts do not fit are refused")
{
    const test::TempDir folder;
    const test::CoderSample sample(Firing::JumpRelu, true, false);
    test::writeCltForge(folder, sample, 2);
    const auto withConfig = [&](const std::string& settings) {
        folder.write("clt_cfg.json", settings);
        return refusal(folder.path(), sample.spec());
    };
    says(withConfig(R"({"d_in": 6, "n_layers": 4, "feature_sharding": true})"), "\"n_layers\" should be 3");
    says(withConfig(R"({"d_in": 6, "n_layers": 3, "feature_sharding": true, "cross_layer_decoders": false})"),
         "has 6 parts instead of 3");
    says(withConfig(R"({"d_in": 5, "n_layers": 3, "feature_sharding": true})"), "width 5");
    says(withConfig(R"({"d_in": 6, "n_layers": 3})"), "clt_weights.safetensors");
    std::filesystem::remove(folder / "rank0_clt_weights.safetensors");
    says(withConfig(R"({"d_in": 6, "n_layers": 3, "feature_sharding": true})"),
         "rank0_clt_weights.safetensors");
}

TEST_CASE("Gemma Scope folders with several widths, or autoencoders, are refused")
{
    const test::TempDir folder, second;
    const test::CoderSample sample(Firing::JumpRelu, false, false);
    test::writeGemmaScope(folder, sample);
    std::filesystem::copy(folder / "layer_1/width_16k", folder / "layer_1/width_65k",
                          std::filesystem::copy_options::recursive);
    says(refusal(folder.path(), sample.spec()), "two transcoders of layer 1");
    test::writeGemmaScope2(second, sample);
    second.write("layer_1_width_16k/config.json", R"({"hf_hook_point_in": "a", "hf_hook_point_out": "a"})");
    says(refusal(second.path(), sample.spec()), "autoencoder");
    second.write("layer_1_width_16k/config.json", R"({"architecture": "topk"})");
    says(refusal(second.path(), sample.spec()), "should be jump_relu");
}
