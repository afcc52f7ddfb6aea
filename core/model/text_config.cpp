#include "model/text_config.h"

#include <map>
#include <string>

namespace hs::model {
namespace {

Json sizes(int layers, int heads, const Json& kvHeads, int hidden, int intermediate, int vocabulary,
           int context)
{
    return {{"num_hidden_layers", layers},       {"num_attention_heads", heads},
            {"num_key_value_heads", kvHeads},    {"hidden_size", hidden},
            {"intermediate_size", intermediate}, {"vocab_size", vocabulary},
            {"max_position_embeddings", context}};
}

/// What transformers' configuration classes start from.
const Json& defaultsOf(const std::string& type)
{
    static const Json kNone = Json::object();
    static const std::map<std::string, Json> kDefaults = {
        {"gemma2", sizes(26, 8, 4, 2304, 9216, 256000, 8192)},
        {"gemma3_text", sizes(26, 8, 4, 2304, 9216, 262208, 131072)},
        {"llama", sizes(32, 32, nullptr, 4096, 11008, 32000, 2048)},
        {"mistral", sizes(32, 32, 8, 4096, 14336, 32000, 131072)},
        {"qwen2", sizes(32, 32, 32, 4096, 22016, 151936, 32768)},
        {"qwen3", sizes(32, 32, 32, 4096, 22016, 151936, 32768)},
    };
    const auto found = kDefaults.find(type);
    return found == kDefaults.end() ? kNone : found->second;
}

std::string typeOf(const Json& config)
{
    const auto type = config.find("model_type");
    return type != config.end() && type->is_string() ? type->get<std::string>() : std::string();
}

}  // namespace

Json textConfig(const Json& config)
{
    const auto text = config.is_object() ? config.find("text_config") : config.end();
    if (!config.is_object() || text == config.end() || !text->is_object())
        return config;
    const std::string type = typeOf(*text).empty() ? typeOf(config) + "_text" : typeOf(*text);
    Json result = defaultsOf(type);
    result["model_type"] = type;
    for (const char* const shared :
         {"attention_gate", "bos_token_id", "dtype", "tie_word_embeddings", "torch_dtype"})
        if (config.contains(shared))
            result[shared] = config[shared];
    result.update(*text);
    return result;
}

}  // namespace hs::model
