#include "golden_tokenizers.h"
#include "support/catch.h"
#include "support/temp_dir.h"

using namespace hs;
using namespace hs::test;

namespace {

bool mentions(const Error& error, const std::string& text)
{
    return error.message.find(text) != std::string::npos;
}

/// The error for a tokenizer.json that is GPT-2's except for one member.
Error errorWith(const std::string& member, const Json& value)
{
    Json json = goldenFile("gpt2").at("tokenizer");
    json[Json::json_pointer(member)] = value;
    const auto tokenizer = loadTokenizer(json);
    REQUIRE_FALSE(tokenizer.ok());
    return tokenizer.error();
}

/// vocab.json and merges.txt of the made-up GPT-2.
void writeVocabAndMerges(const TempDir& folder)
{
    const Json model = goldenFile("gpt2").at("tokenizer").at("model");
    std::string merges = "#version: 0.2\n";
    for (const Json& merge : model.at("merges"))
        merges += merge.get<std::string>() + "\n";
    folder.write("vocab.json", model.at("vocab").dump());
    folder.write("merges.txt", merges);
}

}  // namespace

TEST_CASE("a component that is not known is refused by name")
{
    const auto type = [](const char* name) { return Json{{"type", name}}; };
    CHECK(mentions(errorWith("/normalizer", type("BertNormalizer")), "the normalizer 'BertNormalizer'"));
    CHECK(
        mentions(errorWith("/pre_tokenizer", type("UnicodeScripts")), "the pre-tokenizer 'UnicodeScripts'"));
    CHECK(mentions(errorWith("/post_processor", type("BertProcessing")),
                   "the post-processor 'BertProcessing'"));
    CHECK(mentions(errorWith("/decoder", type("CTC")), "the decoder 'CTC'"));
    CHECK(mentions(errorWith("/model/type", "Unigram"), "the model 'Unigram'"));
    CHECK(mentions(errorWith("/model/dropout", 0.1), "dropout"));
    CHECK(errorWith("/decoder", type("CTC")).code == ErrorCode::Unsupported);

    const Json nested = {{"type", "Sequence"}, {"pretokenizers", {type("Whitespace"), type("Odd")}}};
    CHECK(mentions(errorWith("/pre_tokenizer", nested), "'Odd' (pre_tokenizer.pretokenizers"));
}

TEST_CASE("a file that contradicts itself is refused")
{
    CHECK(mentions(errorWith("/model/merges", Json::array({"a Ж"})), "'Ж'"));
    CHECK(mentions(errorWith("/model/merges", Json::array({"a"})), "not two tokens"));
    CHECK(mentions(errorWith("/model/merges", Json::array({1})), "not a pair"));
    CHECK(mentions(errorWith("/model/merges", Json::array({Json::array({"", "a"})})), "not a pair"));
    CHECK(mentions(errorWith("/model/vocab", Json::array({1, 2})), "vocabulary"));
    CHECK(mentions(errorWith("/model/vocab/!", -1), "out of range"));
    CHECK(mentions(errorWith("/model/vocab/!", 4000000000u), "out of range"));
    CHECK(mentions(errorWith("/model/vocab/!", "x"), "no number"));
    CHECK(mentions(errorWith("/normalizer", 3), "normalizer"));
    CHECK(mentions(errorWith("/added_tokens", {{{"id", 1}}}), "content"));

    Json deep = {{"type", "NFC"}};
    for (int i = 0; i < 1000; ++i)
        deep = {{"type", "Sequence"}, {"normalizers", Json::array({deep})}};
    CHECK(mentions(errorWith("/normalizer", deep), "nested"));
}

TEST_CASE("a folder without a tokenizer says what to do")
{
    const TempDir folder;
    const auto nothing = text::Tokenizer::load(folder.path());
    REQUIRE_FALSE(nothing.ok());
    CHECK(nothing.error().code == ErrorCode::NotFound);
    CHECK(mentions(nothing.error(), "--tokens"));

    folder.write("tokenizer.model", "…");
    const auto sentencePiece = text::Tokenizer::load(folder.path());
    REQUIRE_FALSE(sentencePiece.ok());
    CHECK(mentions(sentencePiece.error(), "save_pretrained"));

    folder.write("tokenizer.json", "{\"model\":");
    CHECK(text::Tokenizer::load(folder.path()).error().code == ErrorCode::BadFile);
    folder.write("tokenizer.json", "[]");
    CHECK(text::Tokenizer::load(folder.path()).error().code == ErrorCode::BadFile);
}

TEST_CASE("vocab.json with merges.txt gives the ids of GPT-2's tokenizer.json")
{
    const TempDir folder;
    writeVocabAndMerges(folder);
    const auto tokenizer = text::Tokenizer::load(folder.path());
    REQUIRE(tokenizer.ok());
    const auto expected = goldenTokenizer("gpt2");
    for (const std::string& text : goldenTexts())
        CHECK(*(*tokenizer)->encode(text) == *expected->encode(text));
}

TEST_CASE("vocab.json of a tokenizer that splits in another way is refused by name")
{
    const TempDir folder;
    writeVocabAndMerges(folder);
    folder.write("tokenizer_config.json", R"({"tokenizer_class": "Qwen2Tokenizer"})");
    const auto tokenizer = text::Tokenizer::load(folder.path());
    REQUIRE_FALSE(tokenizer.ok());
    CHECK(mentions(tokenizer.error(), "Qwen2Tokenizer"));
}

TEST_CASE("the token that starts a text comes from the configuration beside the tokenizer")
{
    const TempDir folder;
    const auto bos = [&] { return (*text::Tokenizer::load(folder.path()))->bosId(); };
    folder.write("tokenizer.json", goldenFile("gpt2").at("tokenizer").dump());
    CHECK(bos() == std::nullopt);
    folder.write("config.json", R"({"bos_token_id": 5})");
    CHECK(bos() == 5);
    folder.write("config.json", R"({"bos_token_id": 5000000000})");
    CHECK(bos() == std::nullopt);
    folder.write("tokenizer_config.json", R"({"bos_token": "<|endoftext|>", "add_bos_token": true})");
    CHECK(bos() == 0);
    folder.write("tokenizer_config.json", R"({"bos_token": {"content": "!"}})");
    CHECK(bos() == (*text::Tokenizer::load(folder.path()))->idOf("!"));
}

TEST_CASE("vocab.json with add_bos_token puts its token in front of a text, as OPT wants it")
{
    const TempDir folder;
    writeVocabAndMerges(folder);
    folder.write("config.json", R"({"model_type": "opt"})");
    const std::vector<std::int64_t> plain = (*text::Tokenizer::load(folder.path()))->encode("girl")->ids;
    folder.write("tokenizer_config.json", R"({"bos_token": "!", "add_bos_token": true})");
    const auto tokenizer = *text::Tokenizer::load(folder.path());
    std::vector<std::int64_t> expected = {*tokenizer->idOf("!")};
    expected.insert(expected.end(), plain.begin(), plain.end());
    CHECK(tokenizer->encode("girl")->ids == expected);
}

TEST_CASE("add_bos_token alone puts nothing in front of a text")
{
    const TempDir folder;
    folder.write("tokenizer.json", goldenFile("gpt2").at("tokenizer").dump());
    folder.write("tokenizer_config.json", R"({"bos_token": "<|endoftext|>", "add_bos_token": true})");
    CHECK((*text::Tokenizer::load(folder.path()))->encode("girl")->ids ==
          goldenTokenizer("gpt2")->encode("girl")->ids);
}

TEST_CASE("a tokenizer cannot be a link out of its folder, unless it is named itself")
{
    const TempDir others, folder;
    others.write("tokenizer.json", goldenFile("gpt2").at("tokenizer").dump());
    std::filesystem::create_symlink(others / "tokenizer.json", folder / "tokenizer.json");
    const auto refused = text::Tokenizer::load(folder.path());
    REQUIRE_FALSE(refused.ok());
    CHECK(mentions(refused.error(), "is a link out of the model's folder"));
    CHECK(text::Tokenizer::load(folder / "tokenizer.json").ok());

    const TempDir companion;
    companion.write("tokenizer.json", goldenFile("gpt2").at("tokenizer").dump());
    std::filesystem::create_symlink(others / "tokenizer.json", companion / "tokenizer_config.json");
    CHECK_FALSE(text::Tokenizer::load(companion.path()).ok());
}

TEST_CASE("an id far beyond the number of tokens is refused, for it would take room for all below it")
{
    CHECK(mentions(errorWith("/model/vocab/!", 4'000'000), "out of range"));
}

TEST_CASE("a tokenizer whose rules multiply a text is refused before memory runs out")
{
    const std::string ten(10, 'a');
    const Json replace = {{"type", "Replace"}, {"pattern", {{"String", "a"}}}, {"content", ten}};
    const auto chain = [&](const char* name) {
        return Json{{"type", "Sequence"},
                    {name, Json::array({replace, replace, replace, replace, replace, replace, replace,
                                        replace, replace, replace})}};
    };
    Json json = goldenFile("gpt2").at("tokenizer");
    SECTION("on the way in")
    {
        json["normalizer"] = chain("normalizers");
        const auto tokenizer = loadTokenizer(json);
        REQUIRE(tokenizer.ok());
        CHECK((*tokenizer)->encode("b").ok());
        const auto encoding = (*tokenizer)->encode("a");
        REQUIRE_FALSE(encoding.ok());
        CHECK(mentions(encoding.error(), "of text out of 1 bytes"));
    }
    SECTION("while it is loaded")
    {
        json["normalizer"] = chain("normalizers");
        json["added_tokens"] = Json::array({{{"content", "a"}, {"normalized", true}}});
        CHECK_FALSE(loadTokenizer(json).ok());
    }
    SECTION("marks that are put before one another")
    {
        Json marks = Json::array();
        for (int i = 0; i < 100; ++i)
            marks.push_back({{"type", "Metaspace"}, {"replacement", i % 2 ? "a" : "b"}, {"split", true}});
        json["pre_tokenizer"] = {{"type", "Sequence"}, {"pretokenizers", marks}};
        CHECK_FALSE((*loadTokenizer(json))->encode("abab").ok());
    }
    SECTION("on the way out")
    {
        json["decoder"] = chain("decoders");
        const auto tokenizer = *loadTokenizer(json);
        const std::vector<std::int64_t> ids = {*tokenizer->idOf("a")};
        CHECK_FALSE(tokenizer->decode(ids).ok());
        CHECK(tokenizer->tokenText(ids.front()) == "a");
    }
}

TEST_CASE("a chat template comes from its own file, or from the tokenizer's configuration")
{
    const Json tokenizer = goldenFile("gpt2").at("tokenizer");
    const auto templateIn = [&](const Json& config, const char* own = nullptr) {
        const TempDir folder;
        folder.write("tokenizer.json", tokenizer.dump());
        folder.write("tokenizer_config.json", config.dump());
        if (own)
            folder.write("chat_template.jinja", own);
        const auto loaded = text::Tokenizer::load(folder.path());
        REQUIRE(loaded);
        return (*loaded)->chatTemplate();
    };
    CHECK(templateIn(Json::object()).empty());
    CHECK(templateIn({{"chat_template", "a"}}) == "a");
    CHECK(templateIn({{"chat_template", "a"}}, "b") == "b");
    const Json named =
        Json::array({{{"name", "tool_use"}, {"template", "t"}}, {{"name", "default"}, {"template", "d"}}});
    CHECK(templateIn({{"chat_template", named}}) == "d");
    for (const Json& odd :
         {Json(3), Json::array({1}), Json{{"name", 1}}, Json::array({{{"name", "default"}}})})
        CHECK(templateIn({{"chat_template", odd}}).empty());
    CHECK(templateIn(Json::object(), std::string(3u << 20, 'x').c_str()).size() == 1u << 20);
}
