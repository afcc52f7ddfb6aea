#include "text/single_token.h"

#include "support/catch.h"

#include <filesystem>

using namespace hs;

namespace {

std::shared_ptr<const text::Tokenizer> demoTokenizer()
{
    auto loaded =
        text::Tokenizer::load(std::filesystem::path(HS_SOURCE_DIR) / "resources" / "models" / "demo-dense");
    REQUIRE(loaded);
    return *loaded;
}

std::string problemWith(const std::string& text)
{
    const auto token = text::singleToken(*demoTokenizer(), text);
    REQUIRE_FALSE(token);
    CHECK(token.error().code == ErrorCode::BadRequest);
    return token.error().message;
}

}  // namespace

TEST_CASE("a text that is one token is that token, spaces around it or not")
{
    const std::shared_ptr<const text::Tokenizer> tokenizer = demoTokenizer();
    for (const std::string text : {"Mary", " Mary"}) {
        const auto token = text::singleToken(*tokenizer, text);
        REQUIRE(token);
        CHECK(tokenizer->tokenText(*token).find("Mary") != std::string::npos);
    }
}

TEST_CASE("a text that is no single token is refused with what it is instead")
{
    CHECK(problemWith("Mary John").find("choose one of them") != std::string::npos);
    CHECK(problemWith("xylophone").find("choose another word") != std::string::npos);
    CHECK(problemWith("").find("give a word") != std::string::npos);
}
