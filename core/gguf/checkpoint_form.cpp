#include "gguf/checkpoint_form.h"

#include "base/failure.h"
#include "base/untrusted_text.h"
#include "gguf/unpack.h"

#include <algorithm>
#include <cmath>

namespace hs::gguf {
namespace {

constexpr std::int64_t kMostLayers = 512;
constexpr std::int64_t kMostHeads = 1024;
constexpr std::int64_t kMostWide = 1 << 20;
constexpr std::int64_t kMostWords = 1 << 24;
constexpr std::int64_t kLongestContext = 1 << 30;
constexpr std::string_view kRopeFactors = "rope_freqs.weight";
constexpr std::string_view kLongFactors = "rope_factors_long.weight";
constexpr std::string_view kShortFactors = "rope_factors_short.weight";
constexpr std::string_view kEmbedding = "token_embd.weight";

/// The keys of one model, by their names without the architecture.
class Keys {
public:
    explicit Keys(const Container& container) : m_container(container) {}

    std::optional<std::int64_t> integer(const char* name, std::int64_t most) const
    {
        return m_container.metadata().integer(keyOf(m_container, name), 1, most);
    }
    std::int64_t required(const char* name, std::int64_t most) const
    {
        const auto found = integer(name, most);
        if (!found)
            m_container.metadata().refuse(keyOf(m_container, name), "a number");
        return *found;
    }
    std::optional<double> number(const char* name) const
    {
        return m_container.metadata().number(keyOf(m_container, name));
    }
    std::string text(const char* name) const
    {
        return std::string(m_container.metadata().text(keyOf(m_container, name)).value_or(""));
    }

private:
    const Container& m_container;
};

struct HeadSizes {
    std::int64_t heads;
    std::int64_t kvHeads;
    std::int64_t size;
};

HeadSizes headSizes(const Container& container)
{
    const Keys keys(container);
    HeadSizes sizes{};
    sizes.heads = keys.required("attention.head_count", kMostHeads);
    sizes.kvHeads = keys.integer("attention.head_count_kv", kMostHeads).value_or(sizes.heads);
    const std::int64_t width = keys.required("embedding_length", kMostWide);
    sizes.size = keys.integer("attention.key_length", kMostWide).value_or(width / sizes.heads);
    if (sizes.size == 0 || sizes.heads % sizes.kvHeads != 0)
        fail(ErrorCode::BadFile,
             container.name() + " gives numbers of heads that do not fit its sizes; download it again.");
    if (keys.integer("attention.value_length", kMostWide).value_or(sizes.size) != sizes.size)
        fail(ErrorCode::Unsupported, container.name() + " has heads whose values and keys differ in size, "
                                                        "which is not supported; use another model.");
    return sizes;
}

/// A share of the head that truncates to `dims` when it is multiplied again.
double rotaryShare(std::int64_t dims, std::int64_t headSize)
{
    const double share = static_cast<double>(dims) / static_cast<double>(headSize);
    return static_cast<std::int64_t>(share * static_cast<double>(headSize)) < dims ? std::nextafter(share, 2)
                                                                                   : share;
}

/// A divisor of each rotary frequency.
std::vector<float> ropeFactors(const Container& container, std::string_view name, std::int64_t rotaryDims)
{
    const PackedTensor* const tensor = container.find(name);
    const std::vector<std::int64_t> shape = {rotaryDims / 2};
    if (!tensor || tensor->shape != shape || tensor->type->elements != 1)
        fail(ErrorCode::BadFile,
             container.name() + " has rotary factors that do not fit its heads; download it again.");
    std::vector<float> factors(static_cast<std::size_t>(shape[0]));
    tensor->type->unpack(container.bytes(tensor->name).data(), factors.size(), factors.data());
    return factors;
}

/// How rotary positions are stretched, as config.json says it; empty if they are not.
Json ropeScaling(const Container& container, std::int64_t rotaryDims)
{
    const Keys keys(container);
    // Llama 3.1's frequencies come as a divisor of each; transformers has that as "longrope", too.
    if (container.find(kRopeFactors)) {
        const std::vector<float> factors = ropeFactors(container, kRopeFactors, rotaryDims);
        return {{"rope_type", "longrope"},
                {"long_factor", factors},
                {"short_factor", factors},
                {"attention_factor", 1.0}};
    }
    std::string kind = keys.text("rope.scaling.type");
    Json scaling = Json::object();
    if (container.find(kLongFactors)) {
        kind = "longrope";
        scaling["long_factor"] = ropeFactors(container, kLongFactors, rotaryDims);
        scaling["short_factor"] = ropeFactors(container, kShortFactors, rotaryDims);
    }
    if (const auto linear = keys.number("rope.scale_linear"); kind.empty() && linear && *linear != 1)
        return {{"rope_type", "linear"}, {"factor", *linear}};
    if (kind.empty() || kind == "none")
        return Json::object();
    scaling["rope_type"] = kind;
    if (const auto original = keys.integer("rope.scaling.original_context_length", kLongestContext))
        scaling["original_max_position_embeddings"] = *original;
    for (const auto& [name, key] : {std::pair{"factor", "rope.scaling.factor"},
                                    {"attention_factor", "rope.scaling.attn_factor"},
                                    {"attention_factor", "rope.scaling.yarn_attn_factor"},
                                    {"beta_fast", "rope.scaling.yarn_beta_fast"},
                                    {"beta_slow", "rope.scaling.yarn_beta_slow"}})
        if (const auto number = keys.number(key))
            scaling[name] = *number;
    return scaling;
}

void addRope(Json& config, const Container& container, std::int64_t headSize)
{
    const Keys keys(container);
    if (const auto theta = keys.number("rope.freq_base"))
        config["rope_theta"] = *theta;
    const std::int64_t dims = keys.integer("rope.dimension_count", headSize).value_or(headSize);
    config["partial_rotary_factor"] = rotaryShare(dims, headSize);
    Json scaling = ropeScaling(container, dims);
    auto local = keys.number("rope.freq_base_swa");  // of layers with a window
    if (!local)
        local = keys.number("rope.local.freq_base");  // as Ollama calls it
    if (!local) {
        if (!scaling.empty())
            config["rope_scaling"] = std::move(scaling);
        return;
    }
    scaling.emplace("rope_type", "default");
    if (config.contains("rope_theta"))
        scaling["rope_theta"] = config["rope_theta"];
    config["rope_parameters"] = {{"full_attention", std::move(scaling)},
                                 {"sliding_attention", {{"rope_type", "default"}, {"rope_theta", *local}}}};
}

std::string dtypeName(const BlockType& type)
{
    return type.name == "F32" ? "float32" : type.name == "F16" ? "float16" : "bfloat16";
}

/// "blk.3.attn_q" as {3, "attn_q"}; a layer of −1 for tensors outside the layers.
struct Place {
    std::int64_t layer = -1;
    std::string_view rest;
};
Place placeOf(std::string_view stem)
{
    static constexpr std::string_view kBlock = "blk.";
    if (!stem.starts_with(kBlock))
        return {-1, stem};
    const std::size_t dot = stem.find('.', kBlock.size());
    const std::string_view digits =
        stem.substr(kBlock.size(), dot == std::string_view::npos ? 0 : dot - kBlock.size());
    const bool isNumber = !digits.empty() && digits.size() < 5 &&
                          std::ranges::all_of(digits, [](char c) { return c >= '0' && c <= '9'; });
    return isNumber ? Place{std::stoll(std::string(digits)), stem.substr(dot + 1)} : Place{-1, stem};
}

CheckpointTensor checkpointTensor(const PackedTensor& packed, const Family& family, const HeadSizes& sizes)
{
    const std::size_t dot = packed.name.rfind('.');
    const std::string_view stem = std::string_view(packed.name).substr(0, dot);
    const Place place = placeOf(stem);
    const std::span<const TensorName> names = place.layer < 0 ? family.shared : family.ofLayer;
    const auto found = std::ranges::find(names, place.rest, &TensorName::gguf);
    if (dot == std::string::npos || found == names.end())
        return {packed.name, &packed};
    const std::string prefix =
        place.layer < 0 ? "" : std::string(family.block) + "." + std::to_string(place.layer) + ".";
    return {prefix + std::string(found->checkpoint) + packed.name.substr(dot), &packed, found->order,
            found->gguf == "attn_k" ? sizes.kvHeads : sizes.heads,
            family.hasNormsPlusOne && packed.name.ends_with("norm.weight")};
}

/// A reordered tensor consists of whole heads, with whole pairs, and a row of it can be unpacked alone.
void requireOrder(const CheckpointTensor& tensor, const HeadSizes& sizes)
{
    const bool isQkv = tensor.order == RowOrder::StackedQkv;
    const bool isWhole = tensor.rows() == tensor.heads * sizes.size * (isQkv ? 3 : 1) &&
                         (isQkv || sizes.size % 2 == 0) &&
                         tensor.width() % tensor.packed->type->elements == 0;
    if (tensor.order != RowOrder::Kept && !isWhole)
        fail(ErrorCode::BadFile, "The tensor " + quotedName(tensor.packed->name) +
                                     " does not have the rows of " + std::to_string(tensor.heads) +
                                     " heads; download the file again.");
}

}  // namespace

Json configOf(const Container& container)
{
    const Family& family = familyOf(container);
    const Keys keys(container);
    const HeadSizes sizes = headSizes(container);
    const PackedTensor* const embedding = container.find(kEmbedding);
    if (!embedding || embedding->shape.size() != 2 || embedding->shape[0] > kMostWords)
        fail(ErrorCode::BadFile, container.name() + " has no token embedding, so it is no whole model; "
                                                    "open the model's own file.");
    Json config = {{"model_type", family.modelType},
                   {"num_hidden_layers", keys.required("block_count", kMostLayers)},
                   {"num_attention_heads", sizes.heads},
                   {"num_key_value_heads", sizes.kvHeads},
                   {"head_dim", sizes.size},
                   {"hidden_size", keys.required("embedding_length", kMostWide)},
                   {"intermediate_size", keys.required("feed_forward_length", kMostWide)},
                   {"max_position_embeddings", keys.required("context_length", kLongestContext)},
                   {"vocab_size", embedding->shape[0]},
                   {"tie_word_embeddings", container.find("output.weight") == nullptr},
                   {"dtype", dtypeName(*embedding->type)}};
    for (const char* const token : {"bos_token_id", "eos_token_id"})
        if (const auto id =
                container.metadata().integer(std::string("tokenizer.ggml.") + token, 0, UINT32_MAX);
            id && *id < embedding->shape[0])
            config[token] = *id;
    addRope(config, container, sizes.size);
    family.addToConfig(config, container);
    return config;
}

std::int64_t CheckpointTensor::rows() const
{
    return packed->shape.empty() ? 1 : packed->shape.front();
}

std::int64_t CheckpointTensor::width() const
{
    return packed->elements() / rows();
}

std::int64_t CheckpointTensor::storedRow(std::int64_t row) const
{
    if (order == RowOrder::Kept)
        return row;
    const bool isQkv = order == RowOrder::StackedQkv;
    const std::int64_t headSize = rows() / (isQkv ? 3 * heads : heads);
    const std::int64_t inHead = row % headSize;
    if (isQkv) {
        const std::int64_t head = row / headSize / 3;
        const std::int64_t part = row / headSize % 3;
        return (part * heads + head) * headSize + inHead;
    }
    return row - inHead + 2 * (inHead % (headSize / 2)) + inHead / (headSize / 2);
}

std::vector<CheckpointTensor> checkpointTensors(const Container& container)
{
    const Family& family = familyOf(container);
    const HeadSizes sizes = headSizes(container);
    std::vector<CheckpointTensor> tensors;
    for (const PackedTensor* const packed : container.tensors()) {
        if (packed->name == kRopeFactors || packed->name == kLongFactors || packed->name == kShortFactors)
            continue;
        tensors.push_back(checkpointTensor(*packed, family, sizes));
        requireOrder(tensors.back(), sizes);
    }
    return tensors;
}

}  // namespace hs::gguf
