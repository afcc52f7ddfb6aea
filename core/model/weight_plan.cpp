#include "model/weight_plan.h"

#include <array>
#include <numeric>
#include <string_view>

namespace hs::model {
namespace {

using Shape = std::vector<std::int64_t>;

/// Names as one family of checkpoints writes them; per-layer ones follow "<block>.<layer>.".
struct Names {
    const char* prefix;  // of all but the unembedding, in the form in which the model's library writes them
    const char* block;
    const char* embedding;
    const char* positions = "";
    const char* finalNorm;
    const char* unembedding = "lm_head";
    const char* attentionNorm;
    std::vector<const char*> qkv;
    const char* queryNorm = "";
    const char* keyNorm = "";
    const char* out;
    const char* attentionAfterNorm = "";
    const char* mlpNorm;
    std::vector<const char*> up;
    const char* down;
    const char* mlpAfterNorm = "";
};

const Names& gpt2Names()
{
    static const Names kNames = {.prefix = "transformer.",
                                 .block = "h",
                                 .embedding = "wte",
                                 .positions = "wpe",
                                 .finalNorm = "ln_f",
                                 .attentionNorm = "ln_1",
                                 .qkv = {"attn.c_attn"},
                                 .out = "attn.c_proj",
                                 .mlpNorm = "ln_2",
                                 .up = {"mlp.c_fc"},
                                 .down = "mlp.c_proj"};
    return kNames;
}

const Names& gptNeoNames()
{
    static const Names kNames = [] {
        Names names = gpt2Names();
        names.qkv = {"attn.attention.q_proj", "attn.attention.k_proj", "attn.attention.v_proj"};
        names.out = "attn.attention.out_proj";
        return names;
    }();
    return kNames;
}

const Names& gptNeoXNames()
{
    static const Names kNames = {.prefix = "gpt_neox.",
                                 .block = "layers",
                                 .embedding = "embed_in",
                                 .finalNorm = "final_layer_norm",
                                 .unembedding = "embed_out",
                                 .attentionNorm = "input_layernorm",
                                 .qkv = {"attention.query_key_value"},
                                 .out = "attention.dense",
                                 .mlpNorm = "post_attention_layernorm",
                                 .up = {"mlp.dense_h_to_4h"},
                                 .down = "mlp.dense_4h_to_h"};
    return kNames;
}

const Names& optNames()
{
    static const Names kNames = {.prefix = "model.decoder.",
                                 .block = "layers",
                                 .embedding = "embed_tokens",
                                 .positions = "embed_positions",
                                 .finalNorm = "final_layer_norm",
                                 .attentionNorm = "self_attn_layer_norm",
                                 .qkv = {"self_attn.q_proj", "self_attn.k_proj", "self_attn.v_proj"},
                                 .out = "self_attn.out_proj",
                                 .mlpNorm = "final_layer_norm",
                                 .up = {"fc1"},
                                 .down = "fc2"};
    return kNames;
}

const Names& llamaNames()
{
    static const Names kNames = {.prefix = "model.",
                                 .block = "layers",
                                 .embedding = "embed_tokens",
                                 .finalNorm = "norm",
                                 .attentionNorm = "input_layernorm",
                                 .qkv = {"self_attn.q_proj", "self_attn.k_proj", "self_attn.v_proj"},
                                 .queryNorm = "self_attn.q_norm",
                                 .keyNorm = "self_attn.k_norm",
                                 .out = "self_attn.o_proj",
                                 .mlpNorm = "post_attention_layernorm",
                                 .up = {"mlp.gate_proj", "mlp.up_proj"},
                                 .down = "mlp.down_proj"};
    return kNames;
}

/// The Llama family where sublayers' outputs are normed: "post_attention" is then what it says.
const Names& afterNormNames()
{
    static const Names kNames = [] {
        Names names = llamaNames();
        names.attentionAfterNorm = "post_attention_layernorm";
        names.mlpNorm = "pre_feedforward_layernorm";
        names.mlpAfterNorm = "post_feedforward_layernorm";
        return names;
    }();
    return kNames;
}

const Names& phi3Names()
{
    static const Names kNames = [] {
        Names names = llamaNames();
        names.qkv = {"self_attn.qkv_proj"};
        names.up = {"mlp.gate_up_proj"};
        return names;
    }();
    return kNames;
}

const Names& namesOf(const ArchSpec& spec)
{
    switch (spec.names) {
    case NameStyle::Gpt2:
    case NameStyle::NanoGpt: return gpt2Names();
    case NameStyle::GptNeo: return gptNeoNames();
    case NameStyle::GptNeoX: return gptNeoXNames();
    case NameStyle::Opt: return optNames();
    case NameStyle::Phi3: return phi3Names();
    case NameStyle::Llama: break;
    }
    return spec.normAfter ? afterNormNames() : llamaNames();
}

class Planner {
public:
    explicit Planner(const ArchSpec& spec) : m_spec(spec), m_names(namesOf(spec)) {}

    std::vector<PlannedTensor> plan()
    {
        const std::int64_t hidden = m_spec.hidden;
        add(Role::Embedding, {{weight(m_names.embedding), {m_spec.vocabulary, hidden}}});
        if (m_spec.hasLearnedPositions)
            add(Role::Positions,
                {{weight(m_names.positions), {m_spec.context + m_spec.positionOffset, hidden}}});
        for (m_layer = 0; m_layer < m_spec.layers; ++m_layer)
            planLayer();
        m_layer = 0;
        addNorm(Role::FinalNormWeight, Role::FinalNormBias, m_names.finalNorm);
        if (!m_spec.isTied)
            add(Role::Unembedding, {{weight(m_names.unembedding), {m_spec.vocabulary, hidden}}});
        return std::move(m_plan);
    }

private:
    void planLayer()
    {
        const std::string prefix = std::string(m_names.block) + "." + std::to_string(m_layer) + ".";
        const std::int64_t hidden = m_spec.hidden;
        if (m_spec.normBefore)
            addNorm(Role::AttentionNormWeight, Role::AttentionNormBias, prefix + m_names.attentionNorm);

        addLinear(Role::QkvWeight, Role::QkvBias, prefix, m_names.qkv,
                  {m_spec.queryWidth(), m_spec.kvWidth(), m_spec.kvWidth()}, hidden, m_spec.hasQkvBias);
        if (m_spec.qkNorm != QkNorm::None) {
            const bool perHead = m_spec.qkNorm == QkNorm::PerHead;
            addScale(Role::QueryNormWeight, prefix + m_names.queryNorm,
                     perHead ? m_spec.headDim : m_spec.queryWidth());
            addScale(Role::KeyNormWeight, prefix + m_names.keyNorm,
                     perHead ? m_spec.headDim : m_spec.kvWidth());
        }
        addLinear(Role::OutWeight, Role::OutBias, prefix, {m_names.out}, {hidden}, m_spec.queryWidth(),
                  m_spec.hasOutBias);
        if (m_spec.normAfter)
            addNorm(Role::AttentionAfterNormWeight, Role::AttentionAfterNormBias,
                    prefix + m_names.attentionAfterNorm);

        if (m_spec.normBefore)
            addNorm(Role::MlpNormWeight, Role::MlpNormBias, prefix + m_names.mlpNorm);
        addLinear(Role::UpWeight, Role::UpBias, prefix, m_names.up,
                  Shape(m_spec.hasGatedMlp ? 2 : 1, m_spec.intermediate), hidden, m_spec.hasMlpBias);
        addLinear(Role::DownWeight, Role::DownBias, prefix, {m_names.down}, {hidden}, m_spec.intermediate,
                  m_spec.hasMlpBias);
        if (m_spec.normAfter)
            addNorm(Role::MlpAfterNormWeight, Role::MlpAfterNormBias, prefix + m_names.mlpAfterNorm);
    }

    /// A projection from `in` to `rows`, a part for each name; a single name holds all rows.
    void addLinear(Role weightRole, Role biasRole, const std::string& prefix,
                   const std::vector<const char*>& names, Shape rows, std::int64_t in, bool hasBias)
    {
        if (names.size() == 1)
            rows = {std::accumulate(rows.begin(), rows.end(), std::int64_t{0})};
        const bool isConv1d = m_spec.names == NameStyle::Gpt2;
        std::vector<PlannedPart> weights;
        std::vector<PlannedPart> biases;
        for (std::size_t part = 0; part < names.size(); ++part) {
            const std::string name = prefix + names[part];
            weights.push_back({weight(name), isConv1d ? Shape{in, rows[part]} : Shape{rows[part], in}});
            biases.push_back({name + ".bias", {rows[part]}});
        }
        const bool isPerHead = m_spec.names == NameStyle::GptNeoX && weightRole == Role::QkvWeight;
        const Arrangement order = isPerHead ? Arrangement::PerHeadQkv : Arrangement::Stacked;
        add(weightRole, std::move(weights), isConv1d ? Arrangement::Transposed : order);
        if (hasBias)
            add(biasRole, std::move(biases), order);
    }

    void addNorm(Role weightRole, Role biasRole, const std::string& name)
    {
        if (m_spec.hasNormWeight)
            addScale(weightRole, name, m_spec.hidden);
        if (m_spec.hasNormBias)
            add(biasRole, {{name + ".bias", {m_spec.hidden}}});
    }

    void addScale(Role role, const std::string& name, std::int64_t width)
    {
        add(role, {{weight(name), {width}}},
            m_spec.normsPlusOne ? Arrangement::PlusOne : Arrangement::Stacked);
    }

    void add(Role role, std::vector<PlannedPart> parts, Arrangement arrangement = Arrangement::Stacked)
    {
        m_plan.push_back({role, m_layer, arrangement, std::move(parts)});
    }

    static std::string weight(const std::string& name) { return name + ".weight"; }

    const ArchSpec& m_spec;
    const Names& m_names;
    int m_layer = 0;
    std::vector<PlannedTensor> m_plan;
};

}  // namespace

bool isBias(Role role)
{
    switch (role) {
    case Role::FinalNormBias:
    case Role::AttentionNormBias:
    case Role::QkvBias:
    case Role::OutBias:
    case Role::AttentionAfterNormBias:
    case Role::MlpNormBias:
    case Role::UpBias:
    case Role::DownBias:
    case Role::MlpAfterNormBias: return true;
    default: return false;
    }
}

bool isNormWeight(Role role)
{
    switch (role) {
    case Role::FinalNormWeight:
    case Role::AttentionNormWeight:
    case Role::QueryNormWeight:
    case Role::KeyNormWeight:
    case Role::AttentionAfterNormWeight:
    case Role::MlpNormWeight:
    case Role::MlpAfterNormWeight: return true;
    default: return false;
    }
}

std::int64_t PlannedTensor::elements() const
{
    std::int64_t sum = 0;
    for (const PlannedPart& part : parts) {
        std::int64_t product = 1;
        for (const std::int64_t extent : part.shape)
            product *= extent;
        sum += product;
    }
    return sum;
}

std::vector<PlannedTensor> planWeights(const ArchSpec& spec)
{
    return Planner(spec).plan();
}

std::int64_t parameterCount(const ArchSpec& spec)
{
    std::int64_t count = 0;
    for (const PlannedTensor& tensor : planWeights(spec))
        count += tensor.elements();
    return count;
}

std::string bareTensorName(std::string name)
{
    static constexpr std::array<std::string_view, 8> kWrappers = {
        "_orig_mod.", "module.",  "transformer.",    "model.",
        "gpt_neox.",  "decoder.", "language_model.", "text_model."};
    for (bool stripped = true; stripped;) {
        stripped = false;
        for (const std::string_view wrapper : kWrappers) {
            if (name.starts_with(wrapper)) {
                name.erase(0, wrapper.size());
                stripped = true;
            }
        }
    }
    return name;
}

std::string fullTensorName(const ArchSpec& spec, const std::string& bareName)
{
    if (bareName.starts_with(namesOf(spec).unembedding))
        return bareName;
    return namesOf(spec).prefix + bareName;
}

}  // namespace hs::model
