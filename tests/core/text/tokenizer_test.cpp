#include "golden_tokenizers.h"
#include "support/catch.h"
#include "support/temp_dir.h"

#include <random>
#include <thread>

using namespace hs;
using namespace hs::test;

namespace {

std::string roundTrip(const text::Tokenizer& tokenizer, const std::string& text)
{
    const Result<text::Encoding> encoding = tokenizer.encode(text, /*addSpecial=*/false);
    REQUIRE(encoding.ok());
    const Result<std::string> decoded = tokenizer.decode(encoding->ids);
    REQUIRE(decoded.ok());
    return *decoded;
}

std::string randomBytes(std::mt19937& random, std::size_t size)
{
    std::string bytes(size, '\0');
    for (char& byte : bytes)
        byte = static_cast<char>(random());
    return bytes;
}

const std::vector<std::string> kBrokenTexts = {"\xFF",
                                               "a\x80z",
                                               "\xC3",
                                               "\xE3\x81",
                                               "\xED\xA0\x80 \xED\xB2\x80",
                                               "\xF4\x90\x80\x80",
                                               "\xC0\x80",
                                               std::string("\0\xFE\0", 3),
                                               "caf\xE9 ol\xE9",
                                               " \xA0\xA0 1\xFF"
                                               "2"};

}  // namespace

TEST_CASE("decode(encode(bytes)) is the identity for byte-level tokenizers")
{
    const std::string style =
        GENERATE(as<std::string>(), "gpt2", "llama3", "dolma2", "possessive", "split_next");
    const auto tokenizer = goldenTokenizer(style);
    INFO(style);
    std::mt19937 random(1);
    for (const std::string& text : goldenTexts())
        CHECK(roundTrip(*tokenizer, text) == text);
    for (const std::string& text : kBrokenTexts)
        CHECK(roundTrip(*tokenizer, text) == text);
    for (int i = 0; i < 200; ++i) {
        const std::string bytes = randomBytes(random, static_cast<std::size_t>(i));
        CHECK(roundTrip(*tokenizer, bytes) == bytes);
    }
}

TEST_CASE("byte fallback keeps bytes that are not valid UTF-8")
{
    const auto tokenizer = goldenTokenizer("llama2");
    for (const std::string& text : kBrokenTexts)
        CHECK(roundTrip(*tokenizer, text) == text);
    const text::Encoding encoding = *tokenizer->encode("\xFF", false);
    REQUIRE(encoding.ids.size() == 2);
    CHECK(encoding.ids[1] == *tokenizer->idOf("<0xFF>"));
}

TEST_CASE("invalid UTF-8 is an unknown word to a word-level tokenizer")
{
    const auto tokenizer = goldenTokenizer("word_level_whitespace_split");
    CHECK(tokenizer->encode("\xFF\xFE girl")->ids ==
          std::vector<std::int64_t>{*tokenizer->idOf("<unk>"), *tokenizer->idOf("girl")});
}

TEST_CASE("random bytes never fail to encode, whatever the tokenizer")
{
    std::mt19937 random(2);
    for (const std::string& style : goldenStyles()) {
        const auto tokenizer = goldenTokenizer(style);
        for (int i = 0; i < 40; ++i) {
            const std::string bytes = randomBytes(random, static_cast<std::size_t>(3 * i));
            const Result<text::Encoding> encoding = tokenizer->encode(bytes);
            INFO(style);
            REQUIRE(encoding.ok());
            REQUIRE(encoding->offsets.size() == encoding->ids.size());
            for (const auto& [begin, end] : encoding->offsets)
                CHECK((begin <= end && end <= bytes.size()));
            CHECK(tokenizer->decode(encoding->ids).ok());
        }
    }
}

TEST_CASE("offsets are bytes of the text, and whole characters")
{
    const auto tokenizer = goldenTokenizer("gpt2");
    const std::string text = " girl 日 x";
    const std::vector<text::Token> tokens = *tokenizer->tokens(text);
    std::string joined;
    for (const text::Token& token : tokens) {
        joined += token.text;
        if (token.text.size() == token.end - token.begin)
            CHECK(text.substr(token.begin, token.end - token.begin) == token.text);
    }
    CHECK(joined == text);
    CHECK(tokens.front().begin == 0);
    CHECK(tokens.back().end == text.size());
}

TEST_CASE("special tokens are put in on request and cover no text")
{
    const auto tokenizer = goldenTokenizer("llama2");
    const text::Encoding with = *tokenizer->encode("girl"), without = *tokenizer->encode("girl", false);
    REQUIRE(with.ids.size() == without.ids.size() + 1);
    CHECK(with.ids.front() == *tokenizer->idOf("<s>"));
    CHECK(with.offsets.front() == std::pair<std::uint64_t, std::uint64_t>(0, 0));
    CHECK(std::vector(with.ids.begin() + 1, with.ids.end()) == without.ids);
}

TEST_CASE("a token's text is what it stands for inside a sentence")
{
    const auto bytes = goldenTokenizer("gpt2");
    CHECK(bytes->tokenText(*bytes->idOf("Ġthe")) == " the");
    CHECK(bytes->tokenText(*bytes->idOf("ĉ")) == "\t");
    CHECK(bytes->tokenText(*bytes->idOf("<|endoftext|>")) == "<|endoftext|>");
    const auto marks = goldenTokenizer("llama2");
    CHECK(marks->tokenText(*marks->idOf("▁the")) == " the");
    CHECK(marks->tokenText(*marks->idOf("<0x0A>")) == "\n");
    CHECK(marks->tokenText(-1).empty());
    CHECK(marks->tokenText(marks->vocabularySize()).empty());
}

TEST_CASE("decoding leaves special tokens out on request")
{
    const auto tokenizer = goldenTokenizer("llama2");
    const std::vector<std::int64_t> ids = tokenizer->encode("the girl")->ids;
    CHECK(*tokenizer->decode(ids) == "<s> the girl");
    CHECK(*tokenizer->decode(ids, /*skipSpecial=*/true) == "the girl");
}

TEST_CASE("an id outside the vocabulary is named together with the vocabulary's size")
{
    const auto tokenizer = goldenTokenizer("gpt2");
    for (const std::int64_t id : {std::int64_t{-1}, tokenizer->vocabularySize(), INT64_MAX}) {
        const Result<std::string> decoded = tokenizer->decode(std::vector{id});
        REQUIRE_FALSE(decoded.ok());
        CHECK(decoded.error().message.find(std::to_string(id)) != std::string::npos);
        CHECK(decoded.error().message.find(std::to_string(tokenizer->vocabularySize())) != std::string::npos);
    }
}

TEST_CASE("one tokenizer serves several threads")
{
    const auto tokenizer = goldenTokenizer("llama3");
    const std::vector<std::string> texts = goldenTexts();
    std::vector<std::vector<text::Encoding>> results(4);
    std::vector<std::thread> threads;
    for (auto& result : results)
        threads.emplace_back([&] {
            for (const std::string& text : texts)
                result.push_back(*tokenizer->encode(text));
        });
    for (std::thread& thread : threads)
        thread.join();
    for (const auto& result : results)
        CHECK(result == results.front());
}
