#include "model/weight_plan.h"

#include <array>
#include <numeric>
#include <string_view>

namespace hs::model {
namespace {

using Shape = std::vector<std::int64_t>;

/// Names as one family of checkpoints writes them; per-layer ones follow "<block>.<layer>.".
struct Names {
    const char* block;
    const char* embedding;
    const char* positions;
    const char* finalNorm;
    const char* unembedding;
    const char* attentionNorm;
    std::vector<const char*> qkv;
    const char* queryNorm;
    const char* keyNorm;
    const char* out;
    const char* mlpNorm;
    std::vector<const char*> up;
    const char* down;
};

const Names& namesOf(const ArchSpec& spec)
{
    static const Names kGpt2 = {"h", "wte", "wpe",         "ln_f", "lm_head",    "ln_1",      {"attn.c_attn"},
                                "",  "",    "attn.c_proj", "ln_2", {"mlp.c_fc"}, "mlp.c_proj"};
    static const Names kNeoX = {"layers",
                                "embed_in",
                                "",
                                "final_layer_norm",
                                "embed_out",
                                "input_layernorm",
                                {"attention.query_key_value"},
                                "",
                                "",
                                "attention.dense",
                                "post_attention_layernorm",
                                {"mlp.dense_h_to_4h"},
                                "mlp.dense_4h_to_h"};
    static const Names kLlama = {"layers",
                                 "embed_tokens",
                                 "",
                                 "norm",
                                 "lm_head",
                                 "input_layernorm",
                                 {"self_attn.q_proj", "self_attn.k_proj", "self_attn.v_proj"},
                                 "self_attn.q_norm",
                                 "self_attn.k_norm",
                                 "self_attn.o_proj",
                                 "post_attention_layernorm",
                                 {"mlp.gate_proj", "mlp.up_proj"},
                                 "mlp.down_proj"};
    static const Names kOlmo2 = [] {
        Names names = kLlama;
        names.attentionNorm = "post_attention_layernorm";
        names.mlpNorm = "post_feedforward_layernorm";
        return names;
    }();
    switch (spec.names) {
    case NameStyle::Gpt2:
    case NameStyle::NanoGpt: return kGpt2;
    case NameStyle::GptNeoX: return kNeoX;
    case NameStyle::Llama: break;
    }
    return spec.normAfter ? kOlmo2 : kLlama;
}

class Planner {
public:
    explicit Planner(const ArchSpec& spec) : m_spec(spec), m_names(namesOf(spec)) {}

    std::vector<PlannedTensor> plan()
    {
        const std::int64_t hidden = m_spec.hidden;
        add(Role::Embedding, {{weight(m_names.embedding), {m_spec.vocabulary, hidden}}});
        if (m_spec.hasLearnedPositions)
            add(Role::Positions, {{weight(m_names.positions), {m_spec.context, hidden}}});
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
        addNorm(Role::AttentionNormWeight, Role::AttentionNormBias, prefix + m_names.attentionNorm);

        addLinear(Role::QkvWeight, Role::QkvBias, prefix, m_names.qkv,
                  {m_spec.queryWidth(), m_spec.kvWidth(), m_spec.kvWidth()}, hidden, m_spec.hasQkvBias);
        if (m_spec.qkNorm != QkNorm::None) {
            const bool perHead = m_spec.qkNorm == QkNorm::PerHead;
            add(Role::QueryNormWeight,
                {{weight(prefix + m_names.queryNorm), {perHead ? m_spec.headDim : m_spec.queryWidth()}}});
            add(Role::KeyNormWeight,
                {{weight(prefix + m_names.keyNorm), {perHead ? m_spec.headDim : m_spec.kvWidth()}}});
        }
        addLinear(Role::OutWeight, Role::OutBias, prefix, {m_names.out}, {hidden}, m_spec.queryWidth(),
                  m_spec.hasOutBias);

        addNorm(Role::MlpNormWeight, Role::MlpNormBias, prefix + m_names.mlpNorm);
        addLinear(Role::UpWeight, Role::UpBias, prefix, m_names.up,
                  Shape(m_names.up.size(), m_spec.intermediate), hidden, m_spec.hasMlpBias);
        addLinear(Role::DownWeight, Role::DownBias, prefix, {m_names.down}, {hidden}, m_spec.intermediate,
                  m_spec.hasMlpBias);
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
            add(weightRole, {{weight(name), {m_spec.hidden}}});
        if (m_spec.hasNormBias)
            add(biasRole, {{name + ".bias", {m_spec.hidden}}});
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
    static constexpr std::array<std::string_view, 5> kWrappers = {"_orig_mod.", "module.", "transformer.",
                                                                  "model.", "gpt_neox."};
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
    switch (spec.names) {
    case NameStyle::Gpt2:
    case NameStyle::NanoGpt: return "transformer." + bareName;
    case NameStyle::GptNeoX: return "gpt_neox." + bareName;
    case NameStyle::Llama: break;
    }
    return "model." + bareName;
}

}  // namespace hs::model
