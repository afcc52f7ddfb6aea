#include "text/tokenizer_table.h"

#include "base/failure.h"
#include "base/untrusted_text.h"
#include "text/sentence_merges.h"
#include "text/utf8.h"
#include "text/vocabulary.h"

#include <algorithm>
#include <array>
#include <limits>

namespace hs::text {
namespace {

/// As `token_type` numbers them.
enum class TokenKind { Normal = 1, Unknown, Control, UserDefined, Unused, Byte };

constexpr const char* kSpaceMark = "▁";

// Patterns that cut text before the merges, as the models' own tokenizer.json files have them.
constexpr const char* kCl100k =
    R"((?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+)";
constexpr const char* kQwen =
    R"((?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+)";
constexpr const char* kTekken =
    R"([^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+|[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+)";
constexpr const char* kO200k =
    R"([^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+(?i:'s|'t|'re|'ve|'m|'ll|'d)?|[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*(?i:'s|'t|'re|'ve|'m|'ll|'d)?|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+)";

/// How text is cut and what the file leaves out, for one or more names of rules.
struct Rules {
    std::vector<std::string_view> names;
    const char* pattern = nullptr;  // none: GPT-2's
    bool cutsDigits = false;        // each digit by itself, before the pattern
    bool isComposed = false;        // NFC first
    bool keepsWhole = false;        // a piece that is a token is not built from merges
    bool addsBos = false;           // unless the file says otherwise
};

const std::vector<Rules>& allRules()
{
    static const std::vector<Rules> kRules = {
        {{"gpt-2", "phi-2"}},
        {{"olmo", "mpt", "gpt-neox"}, nullptr, false, true},
        {{"smollm", "starcoder", "refact", "command-r", "codeshell", "exaone"}, nullptr, true},
        {{"llama-bpe", "llama3", "llama-v3", "falcon3", "pixtral", "lfm2"},
         kCl100k,
         false,
         false,
         true,
         true},
        {{"dbrx", "smaug-bpe"}, kCl100k},
        {{"qwen2", "deepseek-r1-qwen", "megrez"}, kQwen, false, true},
        {{"tekken"}, kTekken, false, false, true, true},
        {{"gpt-4o", "llama4"}, kO200k},
    };
    return kRules;
}

const Rules* rulesNamed(std::string_view name)
{
    for (const Rules& rules : allRules())
        if (std::ranges::find(rules.names, name) != rules.names.end())
            return &rules;
    return nullptr;
}

/// For files that name none: what models of that architecture with so many tokens use.
std::string_view usualRules(const TokenizerTable& table)
{
    struct Usual {
        std::string_view architecture;
        std::size_t least, most;
        std::string_view rules;
    };
    static constexpr std::array kUsual = {
        Usual{"gpt2", 50257, 50304, "gpt-2"},          Usual{"gptneox", 50254, 50432, "olmo"},
        Usual{"olmo", 50254, 50432, "olmo"},           Usual{"olmo2", 100'256, 100'400, "dbrx"},
        Usual{"llama", 128'000, 128'256, "llama-bpe"}, Usual{"qwen2", 151'643, 152'064, "qwen2"},
        Usual{"qwen3", 151'643, 151'936, "qwen2"},
    };
    for (const Usual& usual : kUsual)
        if (usual.architecture == table.architecture && table.tokens.size() >= usual.least &&
            table.tokens.size() <= usual.most)
            return usual.rules;
    return {};
}

/// Whether a token stands for something: the pipeline takes nothing but UTF-8.
bool isText(std::string_view token)
{
    bool isValid = !token.empty();
    while (isValid && !token.empty()) {
        const std::size_t length = validUtf8Length(token);
        isValid = length > 0;
        token.remove_prefix(length);
    }
    return isValid;
}

class Description {
public:
    Description(const TokenizerTable& table, const std::string& file) : m_table(table), m_file(file) {}

    DescribedTokenizer make()
    {
        check();
        if (m_table.kind == "gpt2")
            describeByteLevel(chosenRules());
        else if (m_table.kind == "llama")
            describeSentencePiece();
        else
            fail(ErrorCode::Unsupported, m_file + " has a tokenizer of the kind " + quotedName(m_table.kind) +
                                             ", and gpt2 and llama can be read; put the model's "
                                             "tokenizer.json into the same folder.");
        m_made.bos = known(m_table.bos);
        m_made.chatTemplate = m_table.chatTemplate;
        addTokens();
        m_made.tokens = std::move(m_tokens);
        return std::move(m_made);
    }

private:
    void check() const
    {
        const std::size_t count = m_table.tokens.size();
        if (count == 0 || count > static_cast<std::size_t>(Vocabulary::kIdLimit))
            refuse("has no tokens, or too many");
        if ((!m_table.types.empty() && m_table.types.size() != count) ||
            (!m_table.scores.empty() && m_table.scores.size() != count))
            refuse("has lists of tokens, types and scores that differ in length");
    }

    [[noreturn]] void refuse(const std::string& problem) const
    {
        fail(ErrorCode::BadFile, m_file + " " + problem + "; download it again.");
    }

    const Rules& chosenRules()
    {
        const bool isNamed = !m_table.rules.empty() && m_table.rules != "default";
        const std::string_view name = isNamed ? m_table.rules : usualRules(m_table);
        const Rules* const rules = rulesNamed(name);
        if (!rules)
            fail(ErrorCode::Unsupported,
                 m_file +
                     (isNamed ? " cuts text by the rules " + quotedName(name) + ", which are not known"
                              : std::string(" does not say how it cuts text")) +
                     "; put the model's tokenizer.json into the same folder.");
        if (!isNamed)
            m_made.notes.push_back(m_file + " does not say how it cuts text: the rules \"" +
                                   std::string(name) +
                                   "\" were assumed, as models of its kind use them; put "
                                   "the model's tokenizer.json into the same folder to be sure.");
        return *rules;
    }

    void describeByteLevel(const Rules& rules)
    {
        Json parts = Json::array();
        if (rules.cutsDigits)
            parts.push_back({{"type", "Digits"}, {"individual_digits", true}});
        if (rules.pattern)
            parts.push_back({{"type", "Split"},
                             {"pattern", {{"Regex", rules.pattern}}},
                             {"behavior", "Isolated"},
                             {"invert", false}});
        parts.push_back({{"type", "ByteLevel"},
                         {"add_prefix_space", m_table.addsSpace.value_or(false)},
                         {"trim_offsets", false},
                         {"use_regex", rules.pattern == nullptr}});
        readMerges();
        m_made.rules = {{"normalizer", rules.isComposed ? Json{{"type", "NFC"}} : Json()},
                        {"pre_tokenizer", {{"type", "Sequence"}, {"pretokenizers", std::move(parts)}}},
                        {"decoder",
                         {{"type", "ByteLevel"},
                          {"add_prefix_space", false},
                          {"trim_offsets", false},
                          {"use_regex", false}}},
                        {"model", {{"type", "BPE"}, {"ignore_merges", rules.keepsWhole}}}};
        addPostProcessor(m_table.addsBos.value_or(rules.addsBos), m_table.addsEos.value_or(false));
    }

    void describeSentencePiece()
    {
        markSpaces();
        readMerges();
        if (m_table.merges.empty())
            m_made.merges = mergesByScore(mergeableTokens(), mergingScores());
        const bool addsSpace = m_table.addsSpace.value_or(true);
        Json normalizers = Json::array();
        if (addsSpace)
            normalizers.push_back({{"type", "Prepend"}, {"prepend", kSpaceMark}});
        normalizers.push_back({{"type", "Replace"}, {"pattern", {{"String", " "}}}, {"content", kSpaceMark}});
        Json decoders = {{{"type", "Replace"}, {"pattern", {{"String", kSpaceMark}}}, {"content", " "}},
                         {{"type", "ByteFallback"}},
                         {{"type", "Fuse"}}};
        if (addsSpace)
            decoders.push_back({{"type", "Strip"}, {"content", " "}, {"start", 1}, {"stop", 0}});
        const std::optional<std::int64_t> unknown = known(m_table.unknown.value_or(0));
        m_made.rules = {{"normalizer", {{"type", "Sequence"}, {"normalizers", std::move(normalizers)}}},
                        {"decoder", {{"type", "Sequence"}, {"decoders", std::move(decoders)}}},
                        {"model", {{"type", "BPE"}, {"byte_fallback", true}, {"fuse_unk", true}}}};
        if (unknown)
            m_made.rules["model"]["unk_token"] = std::string(textOf(*unknown));
        addPostProcessor(m_table.addsBos.value_or(true), m_table.addsEos.value_or(false));
    }

    /// Files have the spaces of a token that was defined by hand as such; text has marks instead.
    void markSpaces()
    {
        for (std::size_t id = 0; id < m_tokens.size(); ++id)
            if (kindOf(id) == TokenKind::UserDefined && m_tokens[id].find(' ') != std::string_view::npos) {
                std::string& marked = m_made.ownTexts.emplace_back();
                for (const char c : m_tokens[id])
                    marked += c == ' ' ? std::string_view(kSpaceMark) : std::string_view(&c, 1);
                m_tokens[id] = marked;
            }
    }

    /// Each is "left right": a token may begin with a space, but has none inside.
    void readMerges()
    {
        m_made.merges.reserve(m_table.merges.size());
        for (const std::string_view merge : m_table.merges) {
            const std::size_t space = merge.find(' ', 1);
            if (space == std::string_view::npos || space + 1 == merge.size() || !isText(merge))
                refuse("has a merge that is not two tokens (" + quotedName(merge) + ")");
            m_made.merges.emplace_back(merge.substr(0, space), merge.substr(space + 1));
        }
    }

    void addPostProcessor(bool addsBos, bool addsEos)
    {
        Json pieces = Json::array();
        Json special = Json::object();
        const auto add = [&](std::optional<std::int64_t> id, const char* name) {
            if (!known(id))
                return;
            pieces.push_back({{"SpecialToken", {{"id", name}, {"type_id", 0}}}});
            special[name] = {{"id", name}, {"ids", {*id}}, {"tokens", {textOf(*id)}}};
        };
        if (addsBos)
            add(m_table.bos               ? m_table.bos
                : m_table.kind == "llama" ? std::optional<std::int64_t>(1)
                                          : std::nullopt,
                "bos");
        pieces.push_back({{"Sequence", {{"id", "A"}, {"type_id", 0}}}});
        if (addsEos)
            add(m_table.eos, "eos");
        if (!special.empty())
            m_made.rules["post_processor"] = {{"type", "TemplateProcessing"},
                                              {"single", std::move(pieces)},
                                              {"special_tokens", std::move(special)}};
    }

    void addTokens()
    {
        Json added = Json::array();
        for (std::size_t id = 0; id < m_tokens.size(); ++id) {
            const TokenKind kind = kindOf(id);
            if (kind == TokenKind::Unused || !isText(m_tokens[id])) {
                m_tokens[id] = {};
                continue;
            }
            const bool isSpecial = kind == TokenKind::Control || kind == TokenKind::Unknown;
            if (isSpecial || kind == TokenKind::UserDefined)
                added.push_back({{"id", id},
                                 {"content", m_tokens[id]},
                                 {"special", isSpecial},
                                 {"normalized", !isSpecial && m_table.kind == "gpt2"}});
        }
        m_made.rules["added_tokens"] = std::move(added);
    }

    TokenKind kindOf(std::size_t id) const
    {
        return m_table.types.empty() ? TokenKind::Normal : static_cast<TokenKind>(m_table.types[id]);
    }

    /// [id], empty for those that merges never make.
    std::vector<std::string_view> mergeableTokens() const
    {
        std::vector<std::string_view> tokens = m_tokens;
        for (std::size_t id = 0; id < tokens.size(); ++id)
            if ((kindOf(id) != TokenKind::Normal && kindOf(id) != TokenKind::UserDefined) ||
                !isText(tokens[id]))
                tokens[id] = {};
        return tokens;
    }

    /// Tokens that were defined by hand, whose scores files drop, join first. [id]
    std::vector<float> mergingScores() const
    {
        std::vector<float> scores = m_table.scores;
        if (scores.empty())
            return scores;
        float best = -std::numeric_limits<float>::infinity();
        for (std::size_t id = 0; id < scores.size(); ++id)
            if (kindOf(id) == TokenKind::Normal)
                best = std::max(best, scores[id]);
        for (std::size_t id = 0; id < scores.size(); ++id)
            if (kindOf(id) == TokenKind::UserDefined)
                scores[id] = best;
        return scores;
    }

    std::string_view textOf(std::int64_t id) const { return m_tokens[static_cast<std::size_t>(id)]; }

    /// An id, if it is that of a token.
    std::optional<std::int64_t> known(std::optional<std::int64_t> id) const
    {
        const auto end = static_cast<std::int64_t>(m_table.tokens.size());
        return id && *id >= 0 && *id < end && isText(textOf(*id)) ? id : std::nullopt;
    }

    const TokenizerTable& m_table;
    const std::string& m_file;
    std::vector<std::string_view> m_tokens = m_table.tokens;  // [id]
    DescribedTokenizer m_made;
};

}  // namespace

Json DescribedTokenizer::json() const
{
    Json vocabulary = Json::object();
    for (std::size_t id = 0; id < tokens.size(); ++id)
        if (!tokens[id].empty())
            vocabulary.emplace(tokens[id], id);
    Json pairs = Json::array();
    for (const auto& [left, right] : merges)
        pairs.push_back({left, right});
    Json json = rules;
    json["model"]["vocab"] = std::move(vocabulary);
    json["model"]["merges"] = std::move(pairs);
    return json;
}

DescribedTokenizer describeTokenizer(const TokenizerTable& table, const std::string& file)
{
    return Description(table, file).make();
}

}  // namespace hs::text
