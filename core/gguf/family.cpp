#include "gguf/family.h"

#include "base/failure.h"
#include "base/untrusted_text.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace hs::gguf {
namespace {

constexpr std::array kLlamaShared = {
    TensorName{"token_embd", "embed_tokens"},
    TensorName{"output_norm", "norm"},
    TensorName{"output", "lm_head"},
};

/// Projections as Llama names them; `order` is that of queries and keys.
template <RowOrder order>
constexpr std::array kLlamaProjections = {
    TensorName{"attn_q", "self_attn.q_proj", order}, TensorName{"attn_k", "self_attn.k_proj", order},
    TensorName{"attn_v", "self_attn.v_proj"},        TensorName{"attn_q_norm", "self_attn.q_norm"},
    TensorName{"attn_k_norm", "self_attn.k_norm"},   TensorName{"attn_output", "self_attn.o_proj"},
    TensorName{"ffn_gate", "mlp.gate_proj"},         TensorName{"ffn_up", "mlp.up_proj"},
    TensorName{"ffn_down", "mlp.down_proj"},
};

template <std::size_t N, std::size_t M>
constexpr std::array<TensorName, N + M> joined(const std::array<TensorName, N>& a,
                                               const std::array<TensorName, M>& b)
{
    std::array<TensorName, N + M> all;
    std::ranges::copy(a, all.begin());
    std::ranges::copy(b, all.begin() + N);
    return all;
}

constexpr std::array kNormsBefore = {
    TensorName{"attn_norm", "input_layernorm"},
    TensorName{"ffn_norm", "post_attention_layernorm"},
};
/// Where sublayers' outputs are normed; OLMo 2 has only these norms, Gemma also those of the inputs.
constexpr std::array kNormsAround = {
    TensorName{"attn_norm", "input_layernorm"},
    TensorName{"post_attention_norm", "post_attention_layernorm"},
    TensorName{"ffn_norm", "pre_feedforward_layernorm"},
    TensorName{"post_ffw_norm", "post_feedforward_layernorm"},
};

constexpr auto kLlamaLayer = joined(kNormsBefore, kLlamaProjections<RowOrder::RotaryPairs>);
constexpr auto kQwenLayer = joined(kNormsBefore, kLlamaProjections<RowOrder::Kept>);
constexpr auto kGemmaLayer = joined(kNormsAround, kLlamaProjections<RowOrder::Kept>);
constexpr auto kPhi3Layer = joined(kNormsBefore, std::array{
                                                     TensorName{"attn_qkv", "self_attn.qkv_proj"},
                                                     TensorName{"attn_output", "self_attn.o_proj"},
                                                     TensorName{"ffn_up", "mlp.gate_up_proj"},
                                                     TensorName{"ffn_down", "mlp.down_proj"},
                                                 });

constexpr std::array kGpt2Shared = {
    TensorName{"token_embd", "wte"},
    TensorName{"position_embd", "wpe"},
    TensorName{"output_norm", "ln_f"},
    TensorName{"output", "lm_head"},
};
constexpr std::array kGpt2Layer = {
    TensorName{"attn_norm", "ln_1"},          TensorName{"attn_qkv", "attn.c_attn"},
    TensorName{"attn_output", "attn.c_proj"}, TensorName{"ffn_norm", "ln_2"},
    TensorName{"ffn_up", "mlp.c_fc"},         TensorName{"ffn_down", "mlp.c_proj"},
};

constexpr std::array kNeoXShared = {
    TensorName{"token_embd", "embed_in"},
    TensorName{"output_norm", "final_layer_norm"},
    TensorName{"output", "embed_out"},
};
constexpr std::array kNeoXLayer = {
    TensorName{"attn_norm", "input_layernorm"},
    TensorName{"attn_qkv", "attention.query_key_value", RowOrder::StackedQkv},
    TensorName{"attn_output", "attention.dense"},
    TensorName{"ffn_norm", "post_attention_layernorm"},
    TensorName{"ffn_up", "mlp.dense_h_to_4h"},
    TensorName{"ffn_down", "mlp.dense_4h_to_h"},
};

constexpr double kUsualEps = 1e-5;
constexpr std::int64_t kWidestWindow = 1 << 30;

double epsOf(const Container& container, const char* key, double otherwise = kUsualEps)
{
    return container.metadata().number(keyOf(container, key)).value_or(otherwise);
}

void copyNumber(Json& config, const char* name, const Container& container)
{
    if (const auto number = container.metadata().number(keyOf(container, name)))
        config[name] = *number;
}

/// Keys a query may see back; null: all.
Json windowOf(const Container& container)
{
    const auto window =
        container.metadata().integer(keyOf(container, "attention.sliding_window"), 0, kWidestWindow);
    return window.value_or(0) > 0 ? Json(*window) : Json();
}

/// Windows of some layers, of which a file may hold a list; else of all but every `period`th.
void addWindows(Json& config, const Container& container, std::int64_t period)
{
    const Metadata& keys = container.metadata();
    const std::string pattern = keyOf(container, "attention.sliding_window_pattern");
    std::vector<std::int64_t> slides;
    if (keys.isList(pattern)) {
        slides = keys.integers(pattern);
    } else {
        period = keys.integer(pattern, 1, kWidestWindow).value_or(period);
        for (std::int64_t layer = 1; layer <= config["num_hidden_layers"].get<std::int64_t>(); ++layer)
            slides.push_back(layer % period != 0);
    }
    const Json window = windowOf(container);
    Json types = Json::array();
    for (const std::int64_t each : slides)
        types.push_back(each != 0 && !window.is_null() ? "sliding_attention" : "full_attention");
    config["sliding_window"] = window;
    config["layer_types"] = std::move(types);
}

/// What transformers calls "attention_bias" and "mlp_bias" is seen from the tensors.
bool hasTensor(const Container& container, std::string_view name)
{
    return container.find(name) != nullptr;
}

void addLlama(Json& config, const Container& container)
{
    config["rms_norm_eps"] = epsOf(container, "attention.layer_norm_rms_epsilon");
    config["hidden_act"] = "silu";
    config["attention_bias"] = hasTensor(container, "blk.0.attn_q.bias");
    config["mlp_bias"] = hasTensor(container, "blk.0.ffn_up.bias");
}

void addOlmo(Json& config, const Container& container)
{
    addLlama(config, container);
    if (const auto clip = container.metadata().number(keyOf(container, "attention.clamp_kqv")))
        config["clip_qkv"] = *clip;
}

void addOlmo2(Json& config, const Container& container)
{
    addLlama(config, container);
    // OLMo 3 goes by the same name and differs in its windows.
    if (container.metadata().has(keyOf(container, "attention.sliding_window"))) {
        config["model_type"] = "olmo3";
        addWindows(config, container, 4);
    }
}

/// `largest` is the number of layers of the 27B model, which alone does not scale by its heads' size.
void addGemma(Json& config, const Container& container, int largest)
{
    config["rms_norm_eps"] = epsOf(container, "attention.layer_norm_rms_epsilon", 1e-6);
    config["query_pre_attn_scalar"] =
        config["num_hidden_layers"] == largest
            ? config["hidden_size"].get<double>() / config["num_attention_heads"].get<double>()
            : config["head_dim"].get<double>();
    for (const char* const cap : {"attn_logit_softcapping", "final_logit_softcapping"})
        copyNumber(config, cap, container);
}

void addGemma2(Json& config, const Container& container)
{
    addGemma(config, container, 46);
    addWindows(config, container, 2);
}

void addGemma3(Json& config, const Container& container)
{
    addGemma(config, container, 62);
    addWindows(config, container, 6);
}

void addPhi3(Json& config, const Container& container)
{
    addLlama(config, container);
    config["sliding_window"] = windowOf(container);
}

void addGpt2(Json& config, const Container& container)
{
    config["n_inner"] = config["intermediate_size"];
    config["layer_norm_epsilon"] = epsOf(container, "attention.layer_norm_epsilon");
    config["activation_function"] = "gelu_new";
}

void addNeoX(Json& config, const Container& container)
{
    config["layer_norm_eps"] = epsOf(container, "attention.layer_norm_epsilon");
    config["hidden_act"] = "gelu";
    config["attention_bias"] = hasTensor(container, "blk.0.attn_qkv.bias");
    config["use_parallel_residual"] =
        container.metadata().flag(keyOf(container, "use_parallel_residual")).value_or(true);
}

std::span<const Family> families()
{
    static const std::array kFamilies = {
        Family{"gemma2", "gemma2", addGemma2, "layers", kLlamaShared, kGemmaLayer, true},
        Family{"gemma3", "gemma3_text", addGemma3, "layers", kLlamaShared, kGemmaLayer, true},
        Family{"gpt2", "gpt2", addGpt2, "h", kGpt2Shared, kGpt2Layer},
        Family{"gptneox", "gpt_neox", addNeoX, "layers", kNeoXShared, kNeoXLayer},
        Family{"llama", "llama", addLlama, "layers", kLlamaShared, kLlamaLayer},
        Family{"olmo", "olmo", addOlmo, "layers", kLlamaShared, kLlamaLayer},
        Family{"olmo2", "olmo2", addOlmo2, "layers", kLlamaShared, kGemmaLayer},
        Family{"phi3", "phi3", addPhi3, "layers", kLlamaShared, kPhi3Layer},
        Family{"qwen2", "qwen2", addLlama, "layers", kLlamaShared, kQwenLayer},
        Family{"qwen3", "qwen3", addLlama, "layers", kLlamaShared, kQwenLayer},
    };
    return kFamilies;
}

std::string_view architectureOf(const Container& container)
{
    return container.metadata().text("general.architecture").value_or("");
}

}  // namespace

std::string keyOf(const Container& container, std::string_view name)
{
    return std::string(architectureOf(container)) + "." + std::string(name);
}

const Family& familyOf(const Container& container)
{
    const std::string_view type = container.metadata().text("general.type").value_or("model");
    if (type != "model")
        fail(ErrorCode::Unsupported, container.name() + " is a GGUF file of the kind " + quotedName(type) +
                                         " and no model by itself; open the model that it belongs to.");
    const std::string_view architecture = architectureOf(container);
    const auto found = std::ranges::find(families(), architecture, &Family::architecture);
    if (found == families().end()) {
        std::string known;
        for (const Family& family : families())
            known += (known.empty() ? "" : ", ") + std::string(family.architecture);
        fail(ErrorCode::Unsupported, "The architecture " + quotedName(architecture) + " of " +
                                         container.name() + " is not supported; these are: " + known +
                                         ". The guide's page \"Adding an architecture\" shows how to add "
                                         "another.");
    }
    if (container.metadata().integer(keyOf(container, "expert_count"), 0, INT32_MAX).value_or(0) > 0)
        fail(ErrorCode::Unsupported, container.name() +
                                         " is a mixture of experts, which is not supported; use a model "
                                         "with one MLP a layer.");
    return *found;
}

}  // namespace hs::gguf
