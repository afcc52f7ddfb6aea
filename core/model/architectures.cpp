#include "model/architectures.h"

#include "base/failure.h"
#include "base/json_reader.h"
#include "model/config_bounds.h"
#include "model/rope_config.h"
#include "model/text_config.h"

#include <cmath>
#include <functional>
#include <map>

namespace hs::model {
namespace {

Activation readActivation(const JsonReader& config, const FieldName& keys, const char* fallback)
{
    const std::string name = config[keys].text(fallback);
    if (const auto activation = fromWord<Activation>(name))
        return *activation;
    fail(ErrorCode::Unsupported, "The activation \"" + name.substr(0, 40) +
                                     "\" in config.json is not one of " + listOfWords<Activation>() +
                                     "; this model cannot be run.");
}

/// Sizes under the names that all but GPT-2 use.
void readSizes(ArchSpec& spec, const JsonReader& config)
{
    spec.layers = config["num_hidden_layers"].integer(1, kMostLayers);
    spec.heads = config["num_attention_heads"].integer(1, kMostHeads);
    spec.hidden = config["hidden_size"].integer(1, kMostWidth);
    spec.intermediate = config["intermediate_size"].integer(1, kMostWidth);
    spec.vocabulary = config["vocab_size"].integer(1, kMostVocabulary);
    spec.context = config["max_position_embeddings"].integer(1, kMostContext, 2048);
    spec.kvHeads = config["num_key_value_heads"].integer(1, kMostHeads, spec.heads);
    spec.headDim = config["head_dim"].integer(1, kMostWidth, spec.headDim);
}

/// Which layers slide: `layer_types` where given, else what `slides` says of each.
void readWindows(ArchSpec& spec, const JsonReader& config, int window, const std::function<bool(int)>& slides)
{
    const JsonReader types = config["layer_types"];
    if (types && types.list().size() != static_cast<std::size_t>(spec.layers))
        fail(ErrorCode::BadFile, "config.json lists " + std::to_string(types.list().size()) +
                                     " layer_types for " + std::to_string(spec.layers) +
                                     " layers; correct one of the two.");
    for (int layer = 0; layer < spec.layers; ++layer) {
        bool isSliding = !types && slides(layer);
        if (types) {
            const std::string type = types[static_cast<std::size_t>(layer)].text();
            isSliding = type == "sliding_attention";
            if (!isSliding && type != "full_attention")
                fail(ErrorCode::Unsupported, "The layer type \"" + type.substr(0, 40) +
                                                 "\" in config.json is not one of full_attention and "
                                                 "sliding_attention; this model cannot be run.");
        }
        spec.windows.push_back(isSliding ? window : 0);
    }
}

/// As in the families where some layers always slide.
int readWindow(const JsonReader& config)
{
    return config["sliding_window"].integer(1, kMostContext, 4096);
}

std::optional<double> readCap(const JsonReader& config, const char* key, std::optional<double> otherwise)
{
    const JsonReader cap = config[key];
    if (cap.isNull())
        return std::nullopt;
    return cap ? cap.number(1e-3, 1e9) : otherwise;
}

ArchSpec readGpt2(const JsonReader& config)
{
    ArchSpec spec;
    spec.names = NameStyle::Gpt2;
    spec.layers = config[{"n_layer", "num_hidden_layers"}].integer(1, kMostLayers);
    spec.heads = config[{"n_head", "num_attention_heads"}].integer(1, kMostHeads);
    spec.hidden = config[{"n_embd", "hidden_size"}].integer(1, kMostWidth);
    spec.intermediate = config["n_inner"].integer(1, kMostWidth, 4 * spec.hidden);
    spec.vocabulary = config["vocab_size"].integer(1, kMostVocabulary, 50257);
    spec.context = config[{"n_positions", "n_ctx", "max_position_embeddings", "block_size"}].integer(
        1, kMostContext, 1024);
    spec.kvHeads = spec.heads;
    spec.norm = NormKind::LayerNorm;
    spec.normEps = config["layer_norm_epsilon"].number(0, 1, 1e-5);
    spec.hasNormBias = spec.hasQkvBias = spec.hasOutBias = spec.hasMlpBias = true;
    spec.hasGatedMlp = false;
    spec.activation = readActivation(config, {"activation_function"}, "gelu_new");
    spec.isTied = config["tie_word_embeddings"].flag(true);
    spec.hasLearnedPositions = true;
    if (!config["scale_attn_weights"].flag(true))
        spec.scoreFactor = 1;
    spec.scalesScoresByLayer = config["scale_attn_by_inverse_layer_idx"].flag(false);
    return spec;
}

/// Which layers look only a window back: `[[["global", "local"], 12]]` names 24 of them.
void readGptNeoWindows(ArchSpec& spec, const JsonReader& config)
{
    const int window = config["window_size"].integer(1, kMostContext, 256);
    const auto add = [&](const std::string& type) {
        if (type != "global" && type != "local")
            fail(ErrorCode::Unsupported, "The attention type \"" + type.substr(0, 40) +
                                             "\" in config.json is not one of global and local; this model "
                                             "cannot be run.");
        spec.windows.push_back(type == "local" ? window : 0);
    };
    const auto wanted = static_cast<std::size_t>(spec.layers);
    const JsonReader types = config["attention_types"];
    if (!types)
        for (std::size_t layer = 0; layer < wanted; ++layer)
            add(layer % 2 == 0 ? "global" : "local");
    else
        for (const JsonReader group : types.items())
            for (int times = group[1].integer(0, kMostLayers); times > 0 && spec.windows.size() <= wanted;
                 --times)
                for (const JsonReader type : group[0].items())
                    add(type.text());
    if (spec.windows.size() != wanted)
        fail(ErrorCode::BadFile, "The attention_types in config.json are not those of " +
                                     std::to_string(spec.layers) + " layers; correct one of the two.");
}

ArchSpec readGptNeo(const JsonReader& config)
{
    ArchSpec spec;
    spec.names = NameStyle::GptNeo;
    spec.layers = config[{"num_layers", "num_hidden_layers"}].integer(1, kMostLayers);
    spec.heads = config[{"num_heads", "num_attention_heads"}].integer(1, kMostHeads);
    spec.hidden = config["hidden_size"].integer(1, kMostWidth);
    spec.intermediate = config["intermediate_size"].integer(1, kMostWidth, 4 * spec.hidden);
    spec.vocabulary = config["vocab_size"].integer(1, kMostVocabulary, 50257);
    spec.context = config["max_position_embeddings"].integer(1, kMostContext, 2048);
    spec.kvHeads = spec.heads;
    spec.norm = NormKind::LayerNorm;
    spec.normEps = config["layer_norm_epsilon"].number(0, 1, 1e-5);
    spec.hasNormBias = spec.hasOutBias = spec.hasMlpBias = true;
    spec.hasGatedMlp = false;
    spec.activation = readActivation(config, {"activation_function"}, "gelu_new");
    spec.isTied = true;
    spec.hasLearnedPositions = true;
    spec.scoreFactor = 1;
    readGptNeoWindows(spec, config);
    return spec;
}

ArchSpec readOpt(const JsonReader& config)
{
    ArchSpec spec;
    spec.names = NameStyle::Opt;
    spec.layers = config["num_hidden_layers"].integer(1, kMostLayers);
    spec.heads = config["num_attention_heads"].integer(1, kMostHeads);
    spec.hidden = config["hidden_size"].integer(1, kMostWidth);
    spec.intermediate = config["ffn_dim"].integer(1, kMostWidth);
    spec.vocabulary = config["vocab_size"].integer(1, kMostVocabulary, 50272);
    spec.context = config["max_position_embeddings"].integer(1, kMostContext, 2048);
    spec.kvHeads = spec.heads;
    spec.norm = NormKind::LayerNorm;
    spec.hasNormWeight = spec.hasNormBias = config["layer_norm_elementwise_affine"].flag(true);
    spec.hasQkvBias = spec.hasOutBias = spec.hasMlpBias = config["enable_bias"].flag(true);
    spec.hasGatedMlp = false;
    spec.activation = readActivation(config, {"activation_function"}, "relu");
    spec.isTied = true;
    spec.hasLearnedPositions = true;
    spec.positionOffset = 2;
    if (!config["do_layer_norm_before"].flag(true) || config["_remove_final_layer_norm"].flag(false))
        fail(ErrorCode::Unsupported,
             "This OPT norms the residual stream itself, or leaves out the last norm (opt-350m and early "
             "fine-tunes do); use another size, such as opt-125m or opt-1.3b.");
    if (config["word_embed_proj_dim"].integer(1, kMostWidth, spec.hidden) != spec.hidden)
        fail(
            ErrorCode::Unsupported,
            "This OPT has embeddings of another size than its layers (opt-350m does); use another size, such "
            "as opt-125m or opt-1.3b.");
    return spec;
}

ArchSpec readGptNeoX(const JsonReader& config)
{
    ArchSpec spec;
    readSizes(spec, config);
    spec.names = NameStyle::GptNeoX;
    spec.kvHeads = spec.heads;
    spec.headDim = 0;
    spec.norm = NormKind::LayerNorm;
    spec.normEps = config["layer_norm_eps"].number(0, 1, 1e-5);
    spec.hasNormBias = spec.hasMlpBias = true;
    spec.hasQkvBias = spec.hasOutBias = config["attention_bias"].flag(true);
    spec.hasGatedMlp = false;
    spec.activation = readActivation(config, {"hidden_act"}, "gelu");
    spec.hasParallelResidual = config["use_parallel_residual"].flag(true);
    return spec;
}

/// The Llama family: RMS norms before gated MLPs, separate projections.
ArchSpec readLlama(const JsonReader& config)
{
    ArchSpec spec;
    readSizes(spec, config);
    spec.normEps = config["rms_norm_eps"].number(0, 1, 1e-6);
    spec.hasQkvBias = spec.hasOutBias = config["attention_bias"].flag(false);
    spec.hasMlpBias = config["mlp_bias"].flag(false);
    spec.activation = readActivation(config, {"hidden_act"}, "silu");
    return spec;
}

ArchSpec readOlmo(const JsonReader& config)
{
    ArchSpec spec = readLlama(config);
    spec.norm = NormKind::LayerNorm;
    spec.normEps = 1e-5;
    spec.hasNormWeight = false;
    spec.hasMlpBias = false;
    if (const JsonReader clip = config["clip_qkv"])
        spec.clipQkv = clip.number(1e-6, 1e9);
    return spec;
}

ArchSpec readOlmo2(const JsonReader& config)
{
    ArchSpec spec = readLlama(config);
    spec.normEps = config["rms_norm_eps"].number(0, 1, 1e-5);
    spec.hasMlpBias = false;
    spec.normBefore = false;
    spec.normAfter = true;
    spec.qkNorm = QkNorm::AllHeads;
    return spec;
}

ArchSpec readOlmo3(const JsonReader& config)
{
    ArchSpec spec = readOlmo2(config);
    readWindows(spec, config, readWindow(config), [](int layer) { return (layer + 1) % 4 != 0; });
    spec.rope.theta = config["rope_theta"].number(1e-3, 1e15, 500000);
    spec.localRope = spec.rope;  // whose scaling is not for layers with a window
    return spec;
}

/// What Gemma 2 and 3 share.
ArchSpec readGemma(const JsonReader& config)
{
    if (config["use_bidirectional_attention"].flag(false))
        fail(ErrorCode::Unsupported, "This Gemma looks at later tokens, too (use_bidirectional_attention); "
                                     "only models that look back can be run.");
    ArchSpec spec = readLlama(config);
    spec.kvHeads = config["num_key_value_heads"].integer(1, kMostHeads, 4);
    spec.headDim = config["head_dim"].integer(1, kMostWidth, 256);
    spec.hasMlpBias = false;
    spec.activation = readActivation(config, {"hidden_activation"}, "gelu_pytorch_tanh");
    spec.normsPlusOne = true;
    spec.normAfter = true;
    spec.embeddingScale = std::sqrt(static_cast<double>(spec.hidden));
    spec.scoreFactor = 1 / std::sqrt(config["query_pre_attn_scalar"].number(1e-6, 1e9, 256));
    spec.isTied = true;
    return spec;
}

ArchSpec readGemma2(const JsonReader& config)
{
    ArchSpec spec = readGemma(config);
    spec.scoreCap = readCap(config, "attn_logit_softcapping", 50);
    spec.logitCap = readCap(config, "final_logit_softcapping", 30);
    readWindows(spec, config, readWindow(config), [](int layer) { return layer % 2 == 0; });
    return spec;
}

/// Gemma 3's attention ignores `attn_logit_softcapping` in transformers, too.
ArchSpec readGemma3(const JsonReader& config)
{
    ArchSpec spec = readGemma(config);
    spec.qkNorm = QkNorm::PerHead;
    spec.logitCap = readCap(config, "final_logit_softcapping", {});
    const int pattern = config["sliding_window_pattern"].integer(1, kMostLayers, 6);
    readWindows(spec, config, readWindow(config), [&](int layer) { return (layer + 1) % pattern != 0; });
    spec.rope.theta = 1e6;
    spec.localRope = Rope{};
    spec.localRope->theta = config["rope_local_base_freq"].number(1e-3, 1e15, 10000);
    return spec;
}

ArchSpec readPhi3(const JsonReader& config)
{
    ArchSpec spec = readLlama(config);
    spec.names = NameStyle::Phi3;
    spec.normEps = config["rms_norm_eps"].number(0, 1, 1e-5);
    spec.hasQkvBias = spec.hasOutBias = spec.hasMlpBias = false;
    spec.windows.assign(spec.layers,
                        config["sliding_window"] ? config["sliding_window"].integer(1, kMostContext) : 0);
    return spec;
}

ArchSpec readMistral(const JsonReader& config)
{
    ArchSpec spec = readLlama(config);
    spec.hasQkvBias = spec.hasOutBias = spec.hasMlpBias = false;
    if (!config["num_key_value_heads"].isNull())
        spec.kvHeads = config["num_key_value_heads"].integer(1, kMostHeads, 8);
    // transformers gives a Mistral without the key a window of 4,096; null means none.
    const int window =
        config["sliding_window"].isNull() ? 0 : config["sliding_window"].integer(1, kMostContext, 4096);
    spec.windows.assign(spec.layers, window);
    return spec;
}

void readQwenWindows(ArchSpec& spec, const JsonReader& config)
{
    if (!config["use_sliding_window"].flag(false) || config["sliding_window"].isNull())
        return;
    const int firstSliding = config["max_window_layers"].integer(0, kMostContext, 28);
    readWindows(spec, config, readWindow(config), [&](int layer) { return layer >= firstSliding; });
}

ArchSpec readQwen2(const JsonReader& config)
{
    ArchSpec spec = readLlama(config);
    spec.hasQkvBias = true;
    spec.hasOutBias = spec.hasMlpBias = false;
    if (!config["num_key_value_heads"].isNull())
        spec.kvHeads = config["num_key_value_heads"].integer(1, kMostHeads, 32);
    readQwenWindows(spec, config);
    return spec;
}

ArchSpec readQwen3(const JsonReader& config)
{
    ArchSpec spec = readQwen2(config);
    spec.hasQkvBias = spec.hasOutBias = config["attention_bias"].flag(false);
    spec.qkNorm = QkNorm::PerHead;
    spec.headDim = config["head_dim"].integer(1, kMostWidth, 128);
    return spec;
}

const std::map<std::string, ArchSpec (*)(const JsonReader&)>& architectures()
{
    static const std::map<std::string, ArchSpec (*)(const JsonReader&)> kTable = {
        {"gemma2", readGemma2}, {"gemma3", readGemma3},   {"gemma3_text", readGemma3},
        {"gpt2", readGpt2},     {"gpt_neo", readGptNeo},  {"gpt_neox", readGptNeoX},
        {"llama", readLlama},   {"mistral", readMistral}, {"olmo", readOlmo},
        {"olmo2", readOlmo2},   {"olmo3", readOlmo3},     {"opt", readOpt},
        {"phi3", readPhi3},     {"qwen2", readQwen2},     {"qwen3", readQwen3},
    };
    return kTable;
}

void requireConsistentSizes(const ArchSpec& spec)
{
    if (spec.heads % spec.kvHeads != 0)
        fail(ErrorCode::BadFile, "config.json gives " + std::to_string(spec.heads) + " heads and " +
                                     std::to_string(spec.kvHeads) +
                                     " key/value heads, which do not divide evenly; correct the file.");
    if (spec.queryWidth() > kMostWidth)
        fail(ErrorCode::BadFile, "config.json gives " + std::to_string(spec.heads) + " heads of " +
                                     std::to_string(spec.headDim) +
                                     " dimensions, more than any model has; fetch the file again.");
}

void readGate(ArchSpec& spec, const JsonReader& config)
{
    const JsonReader gate = config["attention_gate"];
    if (!gate)
        return;
    const std::string type = gate["type"].text("");
    if (type != "score")
        fail(ErrorCode::Unsupported,
             "The attention_gate \"" + type.substr(0, 40) + "\" in config.json is not known; \"score\" is.");
    spec.gateBias = gate["bias"].number(-1e6, 1e6, 0);
}

ArchSpec read(const Json& whole)
{
    const Json json = textConfig(whole);
    const JsonReader config(json, "config.json", "correct the file or fetch it again");
    std::string type = config["model_type"].text("");
    // nanoGPT's own config has GPT-2's sizes and no model_type.
    if (type.empty() && config["n_embd"])
        type = "gpt2";
    const auto architecture = architectures().find(type);
    if (architecture == architectures().end()) {
        std::string known;
        for (const std::string& name : supportedModelTypes())
            known += (known.empty() ? "" : ", ") + name;
        fail(ErrorCode::Unsupported,
             (type.empty() ? "config.json names no model_type"
                           : "The model_type \"" + type.substr(0, 60) + "\" is not supported") +
                 "; these are: " + known +
                 ". The guide's page \"Adding an architecture\" shows how to add another.");
    }
    ArchSpec spec = architecture->second(config);
    spec.modelType = type;
    if (spec.headDim == 0) {
        if (spec.hidden % spec.heads != 0)
            fail(ErrorCode::BadFile, "config.json gives a hidden size of " + std::to_string(spec.hidden) +
                                         ", which " + std::to_string(spec.heads) +
                                         " heads do not divide; correct it or add head_dim.");
        spec.headDim = spec.hidden / spec.heads;
    }
    requireConsistentSizes(spec);
    if (!spec.hasLearnedPositions)
        readRope(spec, config, spec.names == NameStyle::GptNeoX ? 0.25 : 1.0);
    if (spec.windows.empty())
        spec.windows.assign(spec.layers, 0);
    spec.isTied = config["tie_word_embeddings"].flag(spec.isTied);
    spec.dtypeName = config[{"dtype", "torch_dtype"}].text("");
    if (const auto bos = json.find("bos_token_id"); bos != json.end() && bos->is_number_unsigned())
        spec.bosToken = bos->get<std::int64_t>();
    readGate(spec, config);
    return spec;
}

}  // namespace

Result<ArchSpec> readArchSpec(const Json& config)
{
    return guarded([&] { return read(config); });
}

std::vector<std::string> supportedModelTypes()
{
    std::vector<std::string> names;
    for (const auto& [name, reader] : architectures())
        names.push_back(name);
    return names;
}

}  // namespace hs::model
