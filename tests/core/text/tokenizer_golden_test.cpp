#include "golden_tokenizers.h"
#include "support/catch.h"

#include <fstream>
#include <sstream>

using namespace hs;
using namespace hs::test;

namespace {

/// Names, for goldenFile, of the tokenizers that tests/golden/real_tokenizers.py shortened.
std::vector<std::string> realTokenizers()
{
    std::vector<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(goldenFolder() / "real"))
        if (entry.path().extension() == ".json")
            names.push_back("real/" + entry.path().stem().string());
    return names;
}

std::vector<std::string> realLines()
{
    std::ifstream file(goldenFolder() / "real" / "lines.txt", std::ios::binary);
    std::stringstream content;
    content << file.rdbuf();
    std::vector<std::string> lines(1);
    for (const char byte : content.str()) {
        if (byte == '\n')
            lines.emplace_back();
        else
            lines.back() += byte;
    }
    return lines;
}

void checkTexts(const text::Tokenizer& tokenizer, const Json& expected)
{
    const std::vector<std::string> texts = goldenTexts();
    REQUIRE(expected.size() == texts.size());
    for (std::size_t i = 0; i < texts.size(); ++i) {
        INFO("text " << i << ": " << texts[i].substr(0, 80));
        const Result<text::Encoding> encoding = tokenizer.encode(texts[i]);
        REQUIRE(encoding.ok());
        CHECK(matchesGolden(encoding->ids, expected[i]));
    }
}

}  // namespace

TEST_CASE("a tokenizer of every style gives the ids of Hugging Face tokenizers")
{
    const std::vector<std::string> styles = goldenStyles();
    REQUIRE(styles.size() >= 24);
    for (const std::string& style : styles) {
        INFO(style);
        checkTexts(*goldenTokenizer(style), goldenFile(style).at("ids"));
    }
}

TEST_CASE(
    "real tokenizers give the ids of Hugging Face tokenizers, of odd texts and of every line of real ones")
{
    const std::vector<std::string> names = realTokenizers();
    REQUIRE(names.size() == 6);
    const std::vector<std::string> lines = realLines();
    REQUIRE(lines.size() > 400);
    for (const std::string& name : names) {
        INFO(name);
        const Json golden = goldenFile(name);
        const auto tokenizer = goldenTokenizer(name);
        checkTexts(*tokenizer, golden.at("ids"));
        IdDigest digest;
        std::size_t count = 0;
        for (const std::string& line : lines) {
            const Result<text::Encoding> encoding = tokenizer->encode(line);
            REQUIRE(encoding.ok());
            digest.add(encoding->ids);
            count += encoding->ids.size();
        }
        CHECK(count == golden.at("lines").at("tokens").get<std::size_t>());
        CHECK(digest.hex() == golden.at("lines").at("digest").get<std::string>());
    }
}
