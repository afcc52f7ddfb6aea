#include "engine/load/gpt2_layouts.h"

#include "base/failure.h"

namespace hs::engine {
namespace {

constexpr std::int64_t kMostRows = 1 << 24;

}  // namespace

Json inferGpt2Config(const TensorLookup& tensors, const Json& known, std::vector<std::string>& notes)
{
    const std::vector<std::int64_t> embedding = tensors.shape("wte.weight");
    const std::vector<std::int64_t> positions = tensors.shape("wpe.weight");
    if (embedding.size() != 2 || positions.size() != 2)
        fail(ErrorCode::Unsupported, "There is no config.json beside the weights, and they are not laid out "
                                     "as GPT-2's; put the model's "
                                     "config.json into the same folder.");
    Json config = {{"vocab_size", embedding[0]}, {"n_embd", embedding[1]}, {"n_positions", positions[0]}};
    int layers = 0;
    while (tensors.contains("h." + std::to_string(layers) + ".attn.c_attn.weight"))
        ++layers;
    config["n_layer"] = layers;
    if (embedding[1] % 64 == 0 && !known.contains("n_head")) {
        config["n_head"] = embedding[1] / 64;
        notes.push_back("There is no config.json: a head size of 64 was assumed, so " +
                        std::to_string(embedding[1] / 64) +
                        " heads a layer; put a config.json with n_head beside "
                        "the weights if that is wrong.");
    }
    for (const auto& [key, value] : known.items())
        config[key] = value;
    return config;
}

void adaptGpt2Layout(model::ArchSpec& spec, const TensorLookup& tensors, const Json& config,
                     std::vector<std::string>& notes)
{
    const std::int64_t width = spec.hidden;
    if (tensors.shape("h.0.attn.c_attn.weight") != std::vector<std::int64_t>{3 * width, width})
        return;
    spec.names = model::NameStyle::NanoGpt;
    const std::vector<std::int64_t> embedding = tensors.shape("wte.weight");
    const std::vector<std::int64_t> positions = tensors.shape("wpe.weight");
    if (embedding.size() == 2 && embedding[0] > spec.vocabulary && embedding[0] < kMostRows)
        spec.vocabulary = static_cast<int>(embedding[0]);
    if (positions.size() == 2 && positions[0] < kMostRows)
        spec.context = static_cast<int>(positions[0]);
    spec.hasQkvBias = spec.hasOutBias = spec.hasMlpBias = tensors.contains("h.0.attn.c_attn.bias");
    spec.hasNormBias = tensors.contains("ln_f.bias");
    if (!config.contains("activation_function") && !config.contains("model_type")) {
        spec.activation = model::Activation::Gelu;
        notes.push_back("No activation_function is named: the exact GELU is used, as nanoGPT does; put "
                        "\"activation_function\": \"gelu_new\" into config.json for OpenAI's.");
    }
}

}  // namespace hs::engine
