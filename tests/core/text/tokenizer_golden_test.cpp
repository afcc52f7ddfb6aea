#include "golden_tokenizers.h"
#include "support/catch.h"

#include <fstream>
#include <sstream>

using namespace hs;
using namespace hs::test;

namespace {

std::vector<std::string> linesOf(const std::filesystem::path& corpus)
{
    if (corpus.extension() == ".json")
        return readJsonFile(corpus).get<std::vector<std::string>>();
    std::ifstream file(corpus, std::ios::binary);
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

void checkTexts(const Tokenizer& tokenizer, const Json& expected)
{
    const std::vector<std::string> texts = goldenTexts();
    REQUIRE(expected.size() == texts.size());
    for (std::size_t i = 0; i < texts.size(); ++i) {
        INFO("text " << i << ": " << texts[i].substr(0, 80));
        const Result<Encoding> encoding = tokenizer.encode(texts[i]);
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

TEST_CASE("real tokenizers give the ids of Hugging Face tokenizers on every line of the corpora")
{
    const std::filesystem::path shared = std::filesystem::path(HS_SOURCE_DIR) / ".." / "shared";
    if (!std::filesystem::is_directory(shared / "tokenizers")) {
        WARN("skipped: ../shared/tokenizers is not here");
        return;
    }
    const Json golden = goldenFile("shared");
    for (const auto& [folder, expected] : golden.items()) {
        INFO(folder);
        const auto tokenizer = Tokenizer::load(shared / folder);
        REQUIRE(tokenizer.ok());
        checkTexts(**tokenizer, expected.at("ids"));
        for (const auto& [corpus, digest] : expected.at("corpora").items()) {
            INFO(corpus);
            IdDigest ids;
            std::size_t count = 0;
            for (const std::string& line : linesOf(shared / "corpora" / corpus)) {
                const Result<Encoding> encoding = (*tokenizer)->encode(line);
                REQUIRE(encoding.ok());
                ids.add(encoding->ids);
                count += encoding->ids.size();
            }
            CHECK(count == digest.at("tokens").get<std::size_t>());
            CHECK(ids.hex() == digest.at("digest").get<std::string>());
        }
    }
}
