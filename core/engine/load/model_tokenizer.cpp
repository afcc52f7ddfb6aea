#include "engine/load/model_tokenizer.h"

#include "base/failure.h"
#include "gguf/container.h"
#include "text/tokenizer_table.h"

#include <algorithm>

namespace hs::engine {
namespace {

constexpr std::int64_t kNormalToken = 1;

std::string key(const char* name)
{
    return std::string("tokenizer.ggml.") + name;
}

text::TokenizerTable tableOf(const gguf::Metadata& keys)
{
    const auto text = [&](const std::string& name) { return std::string(keys.text(name).value_or("")); };
    const auto token = [&](const char* name) { return keys.integer(key(name), 0, UINT32_MAX); };
    text::TokenizerTable table;
    table.kind = text(key("model"));
    table.rules = text(key("pre"));
    table.architecture = text("general.architecture");
    table.tokens = keys.texts(key("tokens"));
    table.types = keys.integers(key("token_type"));
    if (table.kind == "llama")
        table.scores = keys.numbers(key("scores"));
    table.merges = keys.texts(key("merges"));
    table.chatTemplate = text("tokenizer.chat_template");
    table.bos = token("bos_token_id");
    table.eos = token("eos_token_id");
    table.unknown = token("unknown_token_id");
    table.addsBos = keys.flag(key("add_bos_token"));
    table.addsEos = keys.flag(key("add_eos_token"));
    if (table.kind == "llama")
        table.addsSpace = keys.flag(key("add_space_prefix"));
    return table;
}

/// Whether a tokenizer gives every normal token of the table the same id.
bool agrees(const text::Tokenizer& tokenizer, const text::TokenizerTable& table)
{
    for (std::size_t id = 0; id < table.tokens.size(); ++id)
        if ((table.types.empty() || (id < table.types.size() && table.types[id] == kNormalToken)) &&
            tokenizer.idOf(table.tokens[id]) != static_cast<std::int64_t>(id))
            return false;
    return true;
}

ModelTokenizer fromGguf(const model::ModelFiles& files)
{
    // The description has views into the file.
    const auto container =
        std::make_shared<const gguf::Container>(gguf::Container::open({files.weights.front()}));
    const text::TokenizerTable table = tableOf(container->metadata());
    ModelTokenizer made;
    if (!files.tokenizerFolder.empty()) {
        made.tokenizer = orThrow(text::Tokenizer::load(files.tokenizerFolder));
        if (agrees(*made.tokenizer, table))
            return made;
        made.notes.push_back("The tokenizer.json in " + files.tokenizerFolder.string() + " is not that of " +
                             container->name() + ", so the tokenizer inside the file is used.");
    }
    if (table.kind.empty() || table.kind == "none" || table.kind == "no_vocab")
        return {};
    const auto described =
        std::make_shared<const text::DescribedTokenizer>(text::describeTokenizer(table, container->name()));
    made.tokenizer = orThrow(text::Tokenizer::make(*described));
    made.json = [container, described] { return described->json(); };
    made.notes.insert(made.notes.end(), described->notes.begin(), described->notes.end());
    return made;
}

}  // namespace

Result<ModelTokenizer> loadTokenizer(const model::ModelFiles& files)
{
    return guarded([&]() -> ModelTokenizer {
        if (files.format == model::ModelFiles::Format::Gguf)
            return fromGguf(files);
        if (files.tokenizerFolder.empty())
            return {};
        return {orThrow(text::Tokenizer::load(files.tokenizerFolder)), {}, {}};
    });
}

}  // namespace hs::engine
