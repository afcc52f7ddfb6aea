#include "model/architectures.h"

#include "base/failure.h"
#include "base/json_reader.h"

#include <cmath>
#include <map>

namespace hs::model {
namespace {

// Far above anything trained, far below what would overflow or exhaust memory by itself.
constexpr int kMostLayers = 1024;
constexpr int kMostHeads = 4096;
constexpr int kMostWidth = 1 << 20;
constexpr int kMostVocabulary = 1 << 24;
constexpr int kMostContext = 1 << 30;

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

/// Rotary positions: `rope_parameters` (transformers 5) or `rope_theta` + `rope_scaling` (4).
void readRope(ArchSpec& spec, const JsonReader& config, double defaultShare)
{
    const JsonReader rope = config[{"rope_parameters", "rope_scaling"}];
    spec.ropeTheta = rope["rope_theta"].number(
        1e-3, 1e15, config[{"rope_theta", "rotary_emb_base"}].number(1e-3, 1e15, 10000));
    const double share = rope["partial_rotary_factor"].number(
        0, 1, config[{"partial_rotary_factor", "rotary_pct"}].number(0, 1, defaultShare));
    spec.rotaryDims = static_cast<int>(spec.headDim * share);
    if (spec.rotaryDims % 2 != 0)
        fail(ErrorCode::BadFile,
             "config.json asks for rotary positions on " + std::to_string(spec.rotaryDims) +
                 " dimensions of a head, but they come in pairs; correct the head size or "
                 "the rotary share.");

    const std::string kind = rope[{"rope_type", "type"}].text("default");
    RopeScaling& scaling = spec.ropeScaling;
    if (kind == "default")
        return;
    scaling.factor = rope["factor"].number(1e-6, 1e6, 1);
    if (kind == "linear") {
        scaling.kind = RopeScaling::Kind::Linear;
    } else if (kind == "llama3") {
        scaling.kind = RopeScaling::Kind::Llama3;
        scaling.lowFrequencyFactor = rope["low_freq_factor"].number(1e-6, 1e6, 1);
        scaling.highFrequencyFactor = rope["high_freq_factor"].number(1e-6, 1e6, 4);
        scaling.originalContext =
            rope["original_max_position_embeddings"].number(1, kMostContext, spec.context);
        if (scaling.highFrequencyFactor <= scaling.lowFrequencyFactor)
            fail(ErrorCode::BadFile,
                 "config.json gives a high_freq_factor that is not above low_freq_factor; "
                 "correct its rope scaling.");
    } else if (kind == "longrope" && rope["long_factor"].json() == rope["short_factor"].json() &&
               rope["attention_factor"].number() == 1) {
        // The same factors for prompts of any length, as GGUF files give Llama 3.1's frequencies.
        scaling.kind = RopeScaling::Kind::Factors;
        for (const JsonReader& factor :
             rope["long_factor"].items(static_cast<std::size_t>(spec.rotaryDims) / 2))
            scaling.factors.push_back(factor.number(1e-6, 1e6));
    } else {
        fail(ErrorCode::Unsupported,
             "The rope scaling \"" + kind.substr(0, 40) +
                 "\" in config.json is not supported; default, linear and llama3 are.");
    }
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
    spec.scalesScores = config["scale_attn_weights"].flag(true);
    spec.scalesScoresByLayer = config["scale_attn_by_inverse_layer_idx"].flag(false);
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
    spec.normAfter = true;
    spec.qkNorm = QkNorm::AllHeads;
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

/// Which layers slide: `layer_types` where given, else those from `max_window_layers` on.
void readQwenWindows(ArchSpec& spec, const JsonReader& config)
{
    if (!config["use_sliding_window"].flag(false) || config["sliding_window"].isNull())
        return;
    const int window = config["sliding_window"].integer(1, kMostContext, 4096);
    const int firstSliding = config["max_window_layers"].integer(0, kMostContext, 28);
    const auto types = config.json().find("layer_types");
    const bool isListed = types != config.json().end() && types->is_array();
    if (isListed && types->size() != static_cast<std::size_t>(spec.layers))
        fail(ErrorCode::BadFile, "config.json lists " + std::to_string(types->size()) + " layer_types for " +
                                     std::to_string(spec.layers) + " layers; correct one of the two.");
    for (int layer = 0; layer < spec.layers; ++layer) {
        const bool slides = isListed ? (*types)[layer] == "sliding_attention" : layer >= firstSliding;
        spec.windows.push_back(slides ? window : 0);
    }
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
        {"gpt2", readGpt2}, {"gpt_neox", readGptNeoX}, {"llama", readLlama}, {"mistral", readMistral},
        {"olmo", readOlmo}, {"olmo2", readOlmo2},      {"qwen2", readQwen2}, {"qwen3", readQwen3},
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

ArchSpec read(const Json& json)
{
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
                 "; these are: " + known + ".");
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
