#include "text/tokenizer_table.h"

#include "base/failure.h"
#include "golden_tokenizers.h"
#include "support/catch.h"
#include "text/sentence_merges.h"

#include <fstream>
#include <map>

using namespace hs;
using namespace hs::test;

namespace {

/// A tokenizer.json reduced to what a GGUF file keeps of it.
struct ReducedTokenizer {
    std::vector<std::string> tokens, merges;
    text::TokenizerTable table;

    ReducedTokenizer(const Json& json, const std::string& kind, const std::string& rules)
    {
        const Json& model = json.at("model");
        std::map<std::size_t, std::pair<std::string, std::int64_t>> byId;  // text and type
        for (const auto& [token, id] : model.at("vocab").items())
            byId[id.get<std::size_t>()] = {token, token.starts_with("<0x") ? 6 : 1};
        for (const Json& added : json.at("added_tokens"))
            byId[added.at("id").get<std::size_t>()] = {added.at("content").get<std::string>(),
                                                       added.at("special").get<bool>() ? 3 : 4};
        const std::size_t count = byId.rbegin()->first + 1;
        tokens.resize(count);
        table.types.assign(count, 5);
        for (const auto& [id, token] : byId) {
            tokens[id] = token.first;
            table.types[id] = token.second;
        }
        if (kind == "gpt2")
            for (const Json& merge : model.at("merges"))
                merges.push_back(merge.is_string()
                                     ? merge.get<std::string>()
                                     : merge[0].get<std::string>() + " " + merge[1].get<std::string>());
        table.tokens.assign(tokens.begin(), tokens.end());
        table.merges.assign(merges.begin(), merges.end());
        table.kind = kind;
        table.rules = rules;
    }
};

std::vector<std::string> linesOf(const std::filesystem::path& path)
{
    std::ifstream file(path, std::ios::binary);
    std::vector<std::string> lines;
    for (std::string line; std::getline(file, line);)
        lines.push_back(line);
    return lines;
}

/// Both give the same ids for every text there is.
void requireSame(const text::Tokenizer& a, const text::Tokenizer& b)
{
    std::vector<std::string> texts = goldenTexts();
    for (const std::string& line : linesOf(goldenFolder() / "real" / "lines.txt"))
        texts.push_back(line);
    for (const std::string& text : texts) {
        INFO(text.substr(0, 80));
        REQUIRE(a.encode(text)->ids == b.encode(text)->ids);
    }
}

std::shared_ptr<const text::Tokenizer> made(const text::TokenizerTable& table)
{
    const text::DescribedTokenizer described = text::describeTokenizer(table, "m.gguf");
    const auto tokenizer = text::Tokenizer::make(described);
    INFO((tokenizer ? "" : tokenizer.error().message));
    REQUIRE(tokenizer);
    return *tokenizer;
}

std::string problemWith(const text::TokenizerTable& table)
{
    const auto described = guarded([&] { return text::describeTokenizer(table, "m.gguf"); });
    REQUIRE_FALSE(described);
    return described.error().message;
}

text::TokenizerTable smallTable()
{
    text::TokenizerTable table;
    table.kind = "gpt2";
    table.rules = "gpt-2";
    table.tokens = {"a", "b", "ab", "<s>", "1", "Ġ"};
    table.types = {1, 1, 1, 3, 1, 1};
    table.merges = {"a b"};
    return table;
}

}  // namespace

TEST_CASE("what a GGUF file keeps of a real tokenizer gives the same ids as the whole")
{
    const std::map<std::string, std::string> rules = {{"gpt2", "gpt-2"},
                                                      {"gpt-neox-olmo", "olmo"},
                                                      {"dolma2", "dbrx"},
                                                      {"qwen2.5", "qwen2"},
                                                      {"smollm2", "smollm"}};
    for (const auto& [name, rule] : rules) {
        INFO(name);
        const Json json = goldenFile("real/" + name).at("tokenizer");
        requireSame(*made(ReducedTokenizer(json, "gpt2", rule).table), *loadTokenizer(json).value());
    }
}

TEST_CASE(
    "a SentencePiece tokenizer gives the same ids from its scores, and where they are lost, from its ids")
{
    const Json json = goldenFile("real/stories260K").at("tokenizer");
    ReducedTokenizer reduced(json, "llama", "default");
    reduced.table.bos = 1;
    requireSame(*made(reduced.table), *loadTokenizer(json).value());
    for (std::size_t id = 0; id < reduced.tokens.size(); ++id)
        reduced.table.scores.push_back(-static_cast<float>(id));
    requireSame(*made(reduced.table), *loadTokenizer(json).value());
    reduced.table.scores.assign(reduced.tokens.size(), -1000);
    requireSame(*made(reduced.table), *loadTokenizer(json).value());
}

TEST_CASE("tokens that Gemma's tokenizer was given by hand join first, their spaces being the text's")
{
    text::TokenizerTable table;
    table.kind = "llama";
    table.tokens = {"<unk>", "<bos>", "  ", "   ", "\n\n", "a", "b", "▁", "▁a", "\n"};
    table.types = {2, 3, 4, 4, 4, 1, 1, 1, 1, 4};
    table.scores = {-1000, -1000, -1000, -1000, -1000, -10, -11, -12, -0.0f, -1000};
    table.bos = 1;
    table.addsSpace = false;
    const auto tokenizer = made(table);
    using Ids = std::vector<std::int64_t>;
    CHECK(tokenizer->encode("a a")->ids == Ids{1, 5, 8});
    CHECK(tokenizer->encode("a  a")->ids == Ids{1, 5, 2, 5});
    CHECK(tokenizer->encode("a   b")->ids == Ids{1, 5, 3, 6});
    CHECK(tokenizer->encode("a▁▁a")->ids == Ids{1, 5, 2, 5});
    CHECK(tokenizer->encode("a\n\n a\n")->ids == Ids{1, 5, 4, 8, 9});
    CHECK(tokenizer->decode(Ids{5, 3, 6, 4}).value() == "a   b\n\n");
}

TEST_CASE("of two merges the one with the higher score comes first")
{
    const std::vector<std::string_view> tokens = {"a", "b", "c", "ab", "bc", "abc", ""};
    using Merges = text::Bpe::Merges;
    const std::vector<float> scores = {0, 0, 0, -2, -1, -3, 5};
    CHECK(text::mergesByScore(tokens, scores) == Merges{{"b", "c"}, {"a", "b"}, {"ab", "c"}, {"a", "bc"}});
    CHECK(text::mergesByScore(tokens, std::vector<float>(7, 1)).front() == Merges::value_type{"a", "b"});
}

TEST_CASE("rules that are not known are refused by name, and rules that were guessed are told")
{
    text::TokenizerTable table = smallTable();
    table.rules = "grok-9";
    CHECK(problemWith(table) ==
          "m.gguf cuts text by the rules \"grok-9\", which are not known; put the model's "
          "tokenizer.json into the same folder.");
    table.rules = "default";
    CHECK(problemWith(table).find("does not say how it cuts text") != std::string::npos);
    table.architecture = "qwen2";
    table.tokens.resize(151'936, "");
    table.types.resize(151'936, 5);
    const text::DescribedTokenizer guessed = text::describeTokenizer(table, "m.gguf");
    REQUIRE(guessed.notes.size() == 1);
    CHECK(guessed.notes.front().find("\"qwen2\" were assumed") != std::string::npos);
    CHECK(guessed.rules.at("normalizer").at("type") == "NFC");
    CHECK(text::describeTokenizer(smallTable(), "m.gguf").notes.empty());
}

TEST_CASE("the start of text is added where the file or its rules say so")
{
    text::TokenizerTable table = smallTable();
    table.bos = 3;
    using Ids = std::vector<std::int64_t>;
    CHECK(made(table)->encode("ab")->ids == Ids{2});
    table.addsBos = true;
    CHECK(made(table)->encode("ab")->ids == Ids{3, 2});
    CHECK(made(table)->bosId() == 3);
    table.addsBos.reset();
    table.rules = "llama-bpe";
    CHECK(made(table)->encode("ab")->ids == Ids{3, 2});
    table.bos = 77;
    CHECK(made(table)->encode("ab")->ids == Ids{2});
}
