#include "base/failure.h"
#include "base/link_bounds.h"
#include "base/mapped_file.h"
#include "text/component_factory.h"
#include "text/tokenizer_parts.h"
#include "text/tokenizer_table.h"

#include <set>

namespace hs::text {

namespace {

namespace fs = std::filesystem;

constexpr std::size_t kLargestTemplate = 1u << 20;  // bytes

bool isFile(const fs::path& path)
{
    std::error_code ignored;
    return fs::is_regular_file(path, ignored);
}

/// A JSON object beside the tokenizer, empty where there is none.
Json readCompanion(const fs::path& file)
{
    if (!isFile(file))
        return Json::object();
    requireNoLinkOut(file);
    Json json = readJsonFile(file);
    return json.is_object() ? json : Json::object();
}

JsonReader readerOf(const Json& json, const char* file)
{
    return {json, file, "fetch the file again"};
}

/// A special token of tokenizer_config.json: a text, or an object with "content".
std::optional<std::string> configuredToken(const Json& config, const char* name)
{
    const auto found = config.find(name);
    if (found == config.end())
        return std::nullopt;
    const Json& value = found->is_object() && found->contains("content") ? (*found)["content"] : *found;
    return value.is_string() ? std::optional(value.get<std::string>()) : std::nullopt;
}

std::optional<TokenId> findBos(const TokenizerParts& parts, const fs::path& folder)
{
    if (const auto text = configuredToken(readCompanion(folder / "tokenizer_config.json"), "bos_token"))
        if (const std::optional<TokenId> id = parts.idOf(*text))
            return id;
    const Json config = readCompanion(folder / "config.json");
    const auto found = config.find("bos_token_id");
    if (found == config.end() || !found->is_number_unsigned())
        return std::nullopt;
    const auto id = found->get<std::uint64_t>();
    const bool known = id < UINT32_MAX && parts.textOf(static_cast<TokenId>(id)).data();
    return known ? std::optional(static_cast<TokenId>(id)) : std::nullopt;
}

/// A file of its own, or a field of tokenizer_config.json, which is a text or a list of named ones.
std::string findChatTemplate(const fs::path& folder)
{
    const fs::path own = folder / "chat_template.jinja";
    if (isFile(own)) {
        requireNoLinkOut(own);
        return std::string(MappedFile::open(own).text().substr(0, kLargestTemplate));
    }
    const Json config = readCompanion(folder / "tokenizer_config.json");
    const auto found = config.find("chat_template");
    if (found == config.end())
        return {};
    if (found->is_string())
        return found->get<std::string>();
    for (const Json& named : *found)
        if (named.is_object() && named.value("name", Json()) == "default" &&
            named.value("template", Json()).is_string())
            return named["template"].get<std::string>();
    return {};
}

/// vocab.json and merges.txt do not say how text is split; they are only taken for GPT-2's where nothing
/// beside them says otherwise.
void requireGpt2(const Json& tokenizerConfig, const Json& modelConfig)
{
    static const std::set<std::string> kClasses = {"GPT2Tokenizer", "GPT2TokenizerFast"};
    const std::string name = readerOf(tokenizerConfig, "tokenizer_config.json")["tokenizer_class"].text("");
    const std::string model = readerOf(modelConfig, "config.json")["model_type"].text("");
    static const std::set<std::string> kModels = {"", "gpt2", "gpt_neo", "opt"};
    const bool other = name.empty() ? !kModels.contains(model) : !kClasses.contains(name);
    if (other)
        fail(ErrorCode::Unsupported,
             "The vocab.json here belongs to a " + (name.empty() ? model + " model" : name) +
                 ", whose way of splitting text is not known; write a tokenizer.json with "
                 "AutoTokenizer.from_pretrained(dir).save_pretrained(dir).");
}

/// The lines of merges.txt.
Json mergeLines(const fs::path& file)
{
    const MappedFile mapped = MappedFile::open(file);
    Json lines = Json::array();
    for (std::string_view text = mapped.text(); !text.empty();) {
        const std::size_t end = text.find('\n');
        std::string_view line = text.substr(0, end);
        text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
        if (line.ends_with('\r'))
            line.remove_suffix(1);
        if (!line.empty())
            lines.push_back(line);
    }
    return lines;
}

/// As the tokenizer.json that transformers makes of these files.
TokenizerParts readVocabAndMerges(const fs::path& folder)
{
    for (const char* name : {"vocab.json", "merges.txt"})
        requireNoLinkOut(folder / name);
    const Json config = readCompanion(folder / "tokenizer_config.json");
    const JsonReader settings = readerOf(config, "tokenizer_config.json");
    requireGpt2(config, readCompanion(folder / "config.json"));
    Json special = Json::array();
    for (const char* name : {"bos_token", "eos_token", "unk_token", "pad_token"})
        special.push_back(
            {{"content", configuredToken(config, name)
                             .value_or(name == std::string("pad_token") ? "" : "<|endoftext|>")},
             {"special", true}});
    TokenizerParts parts = makeTokenizerParts(
        {{"pre_tokenizer",
          {{"type", "ByteLevel"}, {"add_prefix_space", settings["add_prefix_space"].flag(false)}}},
         {"model",
          {{"type", "BPE"},
           {"vocab", readJsonFile(folder / "vocab.json")},
           {"merges", mergeLines(folder / "merges.txt")}}},
         {"decoder", {{"type", "ByteLevel"}}},
         {"added_tokens", special}});
    // OPT asks for it.
    if (settings["add_bos_token"].flag(false))
        if (const std::optional<TokenId> bos = parts.idOf(special.front()["content"].get<std::string>()))
            parts.postProcessor = templateProcessor({*bos}, {});
    return parts;
}

[[noreturn]] void failNotFound(const fs::path& folder)
{
    if (isFile(folder / "tokenizer.model"))
        fail(ErrorCode::NotFound,
             folder.string() +
                 " has only a SentencePiece tokenizer.model; write a tokenizer.json beside it with "
                 "AutoTokenizer.from_pretrained(dir).save_pretrained(dir).");
    fail(ErrorCode::NotFound, "There is no tokenizer in " + folder.string() +
                                  "; place its tokenizer.json there or pass token ids with --tokens.");
}

/// The parts beside a model.
TokenizerParts partsAround(std::unique_ptr<Model> model, const JsonReader& fields)
{
    TokenizerParts parts;
    parts.normalizer = makeNormalizer(fields["normalizer"]);
    parts.preTokenizer = makePreTokenizer(fields["pre_tokenizer"]);
    parts.model = std::move(model);
    parts.postProcessor = makePostProcessor(fields["post_processor"]);
    parts.decoder = makeDecoder(fields["decoder"]);
    parts.addedTokens = std::make_unique<AddedTokens>(readAddedTokens(fields["added_tokens"]),
                                                      parts.model->vocabulary(), parts.normalizer);
    return parts;
}

}  // namespace

TokenizerParts makeTokenizerParts(const Json& json)
{
    const JsonReader fields = readerOf(json, "tokenizer.json");
    return partsAround(makeModel(fields["model"]), fields);
}

TokenizerParts partsOf(const DescribedTokenizer& described)
{
    const JsonReader fields = readerOf(described.rules, "tokenizer.json");
    Vocabulary vocabulary;
    vocabulary.reserve(described.tokens.size());
    for (std::size_t id = 0; id < described.tokens.size(); ++id)
        if (!described.tokens[id].empty() && !vocabulary.idOf(described.tokens[id]))
            vocabulary.add(described.tokens[id], static_cast<std::int64_t>(id));
    return partsAround(makeBpe(fields["model"], std::move(vocabulary), described.merges), fields);
}

TokenizerParts loadTokenizerParts(const fs::path& folderOrFile)
{
    const bool isTokenizerJson = isFile(folderOrFile) && folderOrFile.extension() == ".json" &&
                                 folderOrFile.filename() != "vocab.json";
    const fs::path folder = isFile(folderOrFile) ? folderOrFile.parent_path() : folderOrFile;
    const fs::path json = isTokenizerJson ? folderOrFile : folder / "tokenizer.json";
    const bool hasMerges = isFile(folder / "vocab.json") && isFile(folder / "merges.txt");
    const bool wantsMerges = isFile(folderOrFile) && !isTokenizerJson;

    if (!isTokenizerJson)
        requireNoLinkOut(json);
    TokenizerParts parts;
    if (isFile(json) && !wantsMerges)
        parts = makeTokenizerParts(readJsonFile(json));
    else if (hasMerges)
        parts = readVocabAndMerges(folder);
    else
        failNotFound(folder);
    parts.bosId = findBos(parts, folder);
    parts.chatTemplate = findChatTemplate(folder);
    return parts;
}

}  // namespace hs::text
