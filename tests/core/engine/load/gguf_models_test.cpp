#include "core/gguf/gguf_bytes.h"
#include "engine/device/torch.h"
#include "engine/load/tensor_source_tensors.h"
#include "engine/run/engine.h"
#include "model/architectures.h"
#include "model/checkpoint.h"
#include "model/weight_plan.h"
#include "support/catch.h"
#include "support/models.h"
#include "support/npz.h"
#include "support/temp_dir.h"

#include <algorithm>
#include <cmath>

using namespace hs;
using namespace hs::test;

namespace {

using Names = std::map<std::string, std::string>;

const Names kLlamaNames = {{"embed_tokens", "token_embd"},
                           {"norm", "output_norm"},
                           {"lm_head", "output"},
                           {"input_layernorm", "attn_norm"},
                           {"self_attn.q_proj", "attn_q"},
                           {"self_attn.k_proj", "attn_k"},
                           {"self_attn.v_proj", "attn_v"},
                           {"self_attn.q_norm", "attn_q_norm"},
                           {"self_attn.k_norm", "attn_k_norm"},
                           {"self_attn.o_proj", "attn_output"},
                           {"post_attention_layernorm", "ffn_norm"},
                           {"mlp.gate_proj", "ffn_gate"},
                           {"mlp.up_proj", "ffn_up"},
                           {"mlp.down_proj", "ffn_down"}};
const Names kAfterNormNames = [] {
    Names names = kLlamaNames;
    names["post_attention_layernorm"] = "post_attention_norm";
    names["pre_feedforward_layernorm"] = "ffn_norm";
    names["post_feedforward_layernorm"] = "post_ffw_norm";
    return names;
}();
const Names kPhi3Names = [] {
    Names names = kLlamaNames;
    names["self_attn.qkv_proj"] = "attn_qkv";
    names["mlp.gate_up_proj"] = "ffn_up";
    return names;
}();
const Names kGpt2Names = {{"wte", "token_embd"}, {"wpe", "position_embd"},    {"ln_f", "output_norm"},
                          {"ln_1", "attn_norm"}, {"attn.c_attn", "attn_qkv"}, {"attn.c_proj", "attn_output"},
                          {"ln_2", "ffn_norm"},  {"mlp.c_fc", "ffn_up"},      {"mlp.c_proj", "ffn_down"}};
const Names kNeoXNames = {{"embed_in", "token_embd"},
                          {"final_layer_norm", "output_norm"},
                          {"embed_out", "output"},
                          {"input_layernorm", "attn_norm"},
                          {"attention.query_key_value", "attn_qkv"},
                          {"attention.dense", "attn_output"},
                          {"post_attention_layernorm", "ffn_norm"},
                          {"mlp.dense_h_to_4h", "ffn_up"},
                          {"mlp.dense_4h_to_h", "ffn_down"}};

const Names& namesFor(const model::ArchSpec& spec)
{
    switch (spec.names) {
    case model::NameStyle::Gpt2:
    case model::NameStyle::NanoGpt: return kGpt2Names;
    case model::NameStyle::GptNeoX: return kNeoXNames;
    case model::NameStyle::Phi3: return kPhi3Names;
    case model::NameStyle::GptNeo:
    case model::NameStyle::Opt: FAIL("llama.cpp has no such family");
    case model::NameStyle::Llama: break;
    }
    return spec.normAfter ? kAfterNormNames : kLlamaNames;
}

/// "layers.1.mlp.up_proj.weight" as "blk.1.ffn_up.weight"; empty for buffers.
std::string ggufName(const std::string& bareName, const Names& names)
{
    std::string stem = bareName.substr(0, bareName.rfind('.'));
    std::string prefix;
    if (stem.starts_with("layers.") || stem.starts_with("h.")) {
        const std::size_t number = stem.find('.') + 1;
        const std::size_t end = stem.find('.', number);
        prefix = "blk." + stem.substr(number, end - number) + ".";
        stem.erase(0, end + 1);
    }
    const auto found = names.find(stem);
    return found == names.end() ? "" : prefix + found->second + bareName.substr(bareName.rfind('.'));
}

/// What llama.cpp's converter does to a tensor.
at::Tensor converted(const at::Tensor& tensor, const std::string& name, const model::ArchSpec& spec)
{
    const std::vector<std::int64_t> shape = tensor.sizes().vec();
    if (spec.normsPlusOne && name.ends_with("norm.weight"))
        return tensor.to(at::kFloat) + 1;
    const bool isPermuted =
        spec.modelType == "llama" || spec.modelType == "mistral" || spec.modelType == "olmo";
    const bool isQuery = name.find("attn_q.") != std::string::npos;
    if (isPermuted && (isQuery || name.find("attn_k.") != std::string::npos))
        return tensor.reshape({isQuery ? spec.heads : spec.kvHeads, 2, spec.headDim / 2, -1})
            .transpose(1, 2)
            .reshape(shape);
    if (spec.names == model::NameStyle::GptNeoX && name.find("attn_qkv") != std::string::npos)
        return tensor.reshape({spec.heads, 3, spec.headDim, -1}).transpose(0, 1).reshape(shape);
    const bool isConv1d =
        spec.names == model::NameStyle::Gpt2 && tensor.dim() == 2 && name.find("_embd") == std::string::npos;
    return isConv1d ? tensor.t().contiguous() : tensor;
}

void addRope(GgufBytes& file, const model::ArchSpec& spec, const std::string& prefix)
{
    const model::Rope& rope = spec.rope;
    const auto number = [&](const char* name, double value) {
        file.number(prefix + "rope." + name, static_cast<float>(value));
    };
    const auto factors = [&](const char* name, const std::vector<double>& values) {
        file.floats(name, {values.size()}, {values.begin(), values.end()});
    };
    if (spec.localRope)
        number("freq_base_swa", spec.localRope->theta);
    switch (rope.kind) {
    case model::Rope::Kind::Plain: return;
    case model::Rope::Kind::Linear:
        file.text(prefix + "rope.scaling.type", "linear");
        number("scaling.factor", rope.factor);
        return;
    case model::Rope::Kind::Llama3: {
        model::Rope plain;
        plain.theta = rope.theta;
        const std::vector<float> scaled = model::rotaryFrequencies(rope, spec.rotaryDims, 1);
        const std::vector<float> whole = model::rotaryFrequencies(plain, spec.rotaryDims, 1);
        std::vector<double> divisors(whole.size());
        std::ranges::transform(whole, scaled, divisors.begin(), std::divides<>());
        factors("rope_freqs.weight", divisors);
        return;
    }
    case model::Rope::Kind::Yarn:
        file.text(prefix + "rope.scaling.type", "yarn");
        number("scaling.factor", rope.factor);
        number("scaling.yarn_attn_factor", rope.amplitude);
        number("scaling.yarn_beta_fast", rope.betaFast);
        number("scaling.yarn_beta_slow", rope.betaSlow);
        break;
    case model::Rope::Kind::LongRope:
        number("scaling.attn_factor", rope.amplitude);
        factors("rope_factors_long.weight", rope.longFactors);
        factors("rope_factors_short.weight", rope.shortFactors);
        break;
    }
    file.integer(prefix + "rope.scaling.original_context_length",
                 static_cast<std::uint32_t>(rope.originalContext));
}

/// Mistral's and Qwen's windows are lost, those of Gemma 2 are always the same layers'.
void addWindows(GgufBytes& file, const model::ArchSpec& spec, const std::string& prefix)
{
    const std::string pattern = prefix + "attention.sliding_window_pattern";
    if (prefix == "llama." || prefix == "qwen2." || prefix == "qwen3." || spec.rotaryDims == 0)
        return;
    const auto window = static_cast<std::uint32_t>(std::ranges::max(spec.windows));
    if (window > 0 || prefix == "phi3.")
        file.integer(prefix + "attention.sliding_window", window);
    const std::vector<bool> slides(spec.windows.begin(), spec.windows.end());
    const auto period = std::ranges::find(slides, false) - slides.begin() + 1;
    if (prefix == "gemma3.")
        file.integer(pattern, static_cast<std::uint32_t>(period));
    if (spec.modelType == "olmo3")
        file.list<bool>(pattern, GgufBytes::Bool, slides);
}

void addKeys(GgufBytes& file, const model::ArchSpec& spec)
{
    static const std::map<std::string, std::string> kArchitectures = {
        {"gemma3_text", "gemma3"}, {"gpt_neox", "gptneox"}, {"mistral", "llama"}, {"olmo3", "olmo2"}};
    const auto other = kArchitectures.find(spec.modelType);
    const std::string architecture = other == kArchitectures.end() ? spec.modelType : other->second;
    const std::string prefix = architecture + ".";
    file.text("general.architecture", architecture)
        .integer(prefix + "block_count", static_cast<std::uint32_t>(spec.layers))
        .integer(prefix + "context_length", static_cast<std::uint32_t>(spec.context))
        .integer(prefix + "embedding_length", static_cast<std::uint32_t>(spec.hidden))
        .integer(prefix + "feed_forward_length", static_cast<std::uint32_t>(spec.intermediate))
        .integer(prefix + "attention.head_count", static_cast<std::uint32_t>(spec.heads))
        .integer(prefix + "attention.head_count_kv", static_cast<std::uint32_t>(spec.kvHeads))
        .integer(prefix + "attention.key_length", static_cast<std::uint32_t>(spec.headDim))
        .number(prefix + (spec.norm == model::NormKind::RmsNorm ? "attention.layer_norm_rms_epsilon"
                                                                : "attention.layer_norm_epsilon"),
                static_cast<float>(spec.normEps))
        .flag(prefix + "use_parallel_residual", spec.hasParallelResidual);
    if (spec.rotaryDims > 0)
        file.integer(prefix + "rope.dimension_count", static_cast<std::uint32_t>(spec.rotaryDims))
            .number(prefix + "rope.freq_base", static_cast<float>(spec.rope.theta));
    for (const auto& [name, number] :
         std::map<std::string, std::optional<double>>{{"attention.clamp_kqv", spec.clipQkv},
                                                      {"attn_logit_softcapping", spec.scoreCap},
                                                      {"final_logit_softcapping", spec.logitCap}})
        if (number)
            file.number(prefix + name, static_cast<float>(*number));
    addRope(file, spec, prefix);
    addWindows(file, spec, prefix);
}

/// A golden model as llama.cpp's converter would write it, in the types it has.
std::string asGguf(const std::string& golden)
{
    const model::ModelFiles files = value(model::locateModel((goldenModels() / golden).string(), {}));
    const model::ArchSpec spec = value(model::readArchSpec(model::configOf(files)));
    const model::SafetensorsCheckpoint checkpoint = model::SafetensorsCheckpoint::open(files);
    GgufBytes file;
    addKeys(file, spec);
    const auto source = engine::openSafetensors(files);
    for (const std::string& name : source->names()) {
        const std::string called = ggufName(model::bareTensorName(name), namesFor(spec));
        const model::TensorInfo& info = *checkpoint.find(name);
        if (called.empty() || (spec.isTied && called == "output.weight"))
            continue;
        const bool isHalf = info.dtype == model::DType::F16;
        const bool isBrain = info.dtype == model::DType::BF16;
        at::Tensor tensor = at::empty(info.shape, isHalf ? at::kHalf : isBrain ? at::kBFloat16 : at::kFloat);
        source->read(name, 0, tensor);
        tensor = converted(tensor, called, spec).contiguous();
        const std::vector<std::int64_t> shape = tensor.sizes().vec();
        file.tensor(called, {shape.begin(), shape.end()},
                    tensor.scalar_type() == at::kHalf       ? 1
                    : tensor.scalar_type() == at::kBFloat16 ? 30
                                                            : 0,
                    std::string(static_cast<const char*>(tensor.data_ptr()), tensor.nbytes()));
    }
    return file.bytes();
}

float largestDifference(const float* a, const float* b, std::size_t count)
{
    float worst = 0;
    for (std::size_t i = 0; i < count; ++i)
        worst = std::max(worst, std::abs(a[i] - b[i]));
    return worst;
}

}  // namespace

TEST_CASE("a model of each family gives transformers' maps and logits from a GGUF file")
{
    for (const char* const golden :
         {"gpt2", "gpt_neox-parallel", "llama-grouped", "llama-tied", "llama-linear", "llama-llama3",
          "mistral-full", "qwen3", "olmo", "olmo-clip", "olmo2", "olmo3", "phi3", "phi3-long", "phi3-short",
          "gemma3-nested"}) {
        INFO(golden);
        const TempDir folder;
        const auto model = openModel(folder.write(std::string(golden) + ".gguf", asGguf(golden)));
        REQUIRE(model->facts().notes.empty());
        REQUIRE(model->facts().name.starts_with(golden));
        const std::map<std::string, NpyArray> expected = readNpz(goldenModels() / golden / "expected.npz");
        engine::RunRequest request;
        request.model = model;
        request.tokens = expected.at("tokens").as<std::int64_t>();
        request.capture.fullMaps = request.capture.logits = true;
        const engine::RunResult result = value(engine::Engine().run(request));
        const std::vector<float> attention = expected.at("attention").as<float>();
        const std::size_t layerSize = attention.size() / static_cast<std::size_t>(result.heads.layers);
        for (int layer = 0; layer < result.heads.layers; ++layer)
            REQUIRE(largestDifference(result.maps[layer].get(),
                                      attention.data() + static_cast<std::size_t>(layer) * layerSize,
                                      layerSize) <= 1e-5f);
        const std::vector<float> logits = expected.at("logits").as<float>();
        REQUIRE(result.logits.size() == logits.size());
        const float scale =
            std::abs(*std::ranges::max_element(logits, {}, [](float logit) { return std::abs(logit); }));
        REQUIRE(largestDifference(result.logits.data(), logits.data(), logits.size()) <= 1e-4f * scale);
    }
}

TEST_CASE("what no GGUF file can hold of a model is as families have it")
{
    struct Lost {
        const char* golden;
        const char* key;
        Json usual;
    };
    for (const Lost& lost : {Lost{"qwen2", "use_sliding_window", false},
                             Lost{"gemma2", "query_pre_attn_scalar", 8},  // the size of a head
                             Lost{"gemma3", "query_pre_attn_scalar", 8}}) {
        INFO(lost.golden);
        const TempDir folder;
        Json config = readJsonFile(goldenModels() / lost.golden / "config.json");
        config[lost.key] = lost.usual;
        folder.write("plain/config.json", config.dump());
        std::filesystem::copy(goldenModels() / lost.golden / "model.safetensors",
                              folder / "plain" / "model.safetensors");
        engine::RunRequest request;
        request.tokens =
            readNpz(goldenModels() / lost.golden / "expected.npz").at("tokens").as<std::int64_t>();
        request.capture.logits = true;
        request.model = openModel(folder / "plain");
        const std::vector<float> expected = value(engine::Engine().run(request)).logits;
        request.model = openModel(folder.write("m.gguf", asGguf(lost.golden)));
        const std::vector<float> found = value(engine::Engine().run(request)).logits;
        REQUIRE(largestDifference(found.data(), expected.data(), expected.size()) <= 1e-5f);
    }
}

TEST_CASE("the architecture of a GGUF file that is not known is named, with the page on adding one")
{
    const TempDir folder;
    for (const char* const unknown : {"opt", "gptneo", "mamba"}) {
        const std::filesystem::path path =
            folder.write("m.gguf", tinyGguf().text("general.architecture", unknown).bytes());
        const auto refused = engine::loadModel(value(model::locateModel(path.string(), {})), testOptions());
        REQUIRE_FALSE(refused);
        CHECK(refused.error().message.find("\"" + std::string(unknown) + "\"") != std::string::npos);
        CHECK(refused.error().message.find("gemma3, gpt2") != std::string::npos);
        CHECK(refused.error().message.find("\"Adding an architecture\"") != std::string::npos);
    }
}

TEST_CASE("any rows of a packed and reordered tensor are read in every type that weights get")
{
    static constexpr std::int64_t kWidth = 64, kHeads = 2;
    GgufBytes file = tinyGguf();
    file.integer("llama.embedding_length", kWidth).integer("llama.attention.head_count", kHeads);
    std::string blocks;  // Q8_0, row r full of r
    for (int row = 0; row < kWidth; ++row)
        for (int block = 0; block < 2; ++block)
            blocks += std::string("\x00\x3c", 2) + std::string(32, static_cast<char>(row));
    file.tensor("blk.1.attn_q.weight", {kWidth, kWidth}, 8, blocks);
    const TempDir folder;
    const std::filesystem::path path = folder.write("m.gguf", file.bytes());
    model::ModelFiles files;
    files.format = model::ModelFiles::Format::Gguf;
    files.weights = {path};
    // The other tensors are of a smaller model, so reordered ones among them would be refused.
    const auto spoiled = guarded([&] { return engine::openGguf(files)->names(); });
    REQUIRE_FALSE(spoiled);
    REQUIRE(spoiled.error().message.find("blk.0.attn_k.weight") != std::string::npos);

    GgufBytes fitting;
    fitting.text("general.architecture", "llama");
    for (const auto& [key, number] : std::map<std::string, std::uint32_t>{{"block_count", 1},
                                                                          {"context_length", 8},
                                                                          {"embedding_length", kWidth},
                                                                          {"feed_forward_length", 8},
                                                                          {"attention.head_count", kHeads}})
        fitting.integer("llama." + key, number);
    fitting.floats("token_embd.weight", {1, kWidth}, std::vector<float>(kWidth));
    fitting.tensor("blk.0.attn_q.weight", {kWidth, kWidth}, 8, blocks);
    files.weights = {folder.write("fitting.gguf", fitting.bytes())};
    const auto source = engine::openGguf(files);
    for (const at::ScalarType type : {at::kFloat, at::kBFloat16, at::kHalf, at::kDouble}) {
        const at::Tensor rows = at::empty({20, kWidth}, type);
        source->read("layers.0.self_attn.q_proj.weight", 25, rows);
        for (std::int64_t i = 0; i < 20; ++i) {
            const std::int64_t row = (25 + i) % 32;
            const std::int64_t stored = (25 + i) / 32 * 32 + 2 * (row % 16) + row / 16;
            REQUIRE(rows[i].min().item<double>() == static_cast<double>(stored));
            REQUIRE(rows[i].max().item<double>() == static_cast<double>(stored));
        }
    }
}

TEST_CASE("weights of fewer than 4 bits come with a note, and those that are not finite are refused")
{
    const TempDir folder;
    GgufBytes rounded = tinyGguf().tensor("blk.0.extra.weight", {256}, 11, std::string(110, '\0'));
    const auto model =
        openModel(folder.write("few-Q3_K_M.gguf", rounded.integer("general.file_type", 12).bytes()));
    REQUIRE(model->facts().name == "few-Q3_K_M");
    REQUIRE(!model->facts().notes.empty());
    REQUIRE(model->facts().notes.front().find("fewer than 4 bits (Q3_K)") != std::string::npos);
    const std::filesystem::path endless =
        folder.write("endless.gguf", tinyGguf(std::numeric_limits<float>::infinity()).bytes());
    const auto refused = engine::loadModel(value(model::locateModel(endless.string(), {})), testOptions());
    REQUIRE_FALSE(refused);
    REQUIRE(refused.error().message.find("not finite") != std::string::npos);
}
