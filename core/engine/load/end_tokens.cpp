#include "engine/load/end_tokens.h"

#include "model/text_config.h"

#include <set>

namespace hs::engine {
namespace {

/// One id, or a list of them.
void addEndTokens(const Json& config, std::set<std::int64_t>& tokens)
{
    const auto found = config.is_object() ? config.find("eos_token_id") : config.end();
    if (!config.is_object() || found == config.end())
        return;
    for (const Json& id : found->is_array() ? *found : Json::array({*found}))
        if (id.is_number_unsigned())
            tokens.insert(id.get<std::int64_t>());
}

}  // namespace

std::vector<std::int64_t> endTokens(const model::ModelFiles& files)
{
    std::set<std::int64_t> tokens;
    const Json config = model::configOf(files);
    addEndTokens(config, tokens);
    addEndTokens(model::textConfig(config), tokens);
    const std::filesystem::path chosen = files.folder / "generation_config.json";
    if (files.format != model::ModelFiles::Format::Gguf && std::filesystem::is_regular_file(chosen))
        addEndTokens(readJsonFile(chosen), tokens);
    return {tokens.begin(), tokens.end()};
}

}  // namespace hs::engine
