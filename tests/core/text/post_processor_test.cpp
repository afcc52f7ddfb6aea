#include "support/catch.h"
#include "text/post_processor.h"

using namespace hs;

namespace {

text::ByteSpan trimmed(std::string_view prompt, std::string_view token, text::ByteSpan origin,
                       bool keepFirstSpace)
{
    std::vector<text::PromptToken> tokens = {{0, origin, token}};
    text::trimOffsets(prompt, tokens, keepFirstSpace);
    return tokens.front().origin;
}

}  // namespace

TEST_CASE("trimmed offsets leave out the white space at a token's ends")
{
    CHECK(trimmed(" a", "Ġa", {0, 2}, false) == text::ByteSpan{1, 2});
    CHECK(trimmed("  a", "ĠĠa", {0, 3}, false) == text::ByteSpan{2, 3});
    CHECK(trimmed("xa ", "aĠ", {1, 3}, false) == text::ByteSpan{1, 2});
    CHECK(trimmed("x  ", "ĠĠ", {1, 3}, false) == text::ByteSpan{3, 3});
    CHECK(trimmed("\u3000a", "\u3000a", {0, 4}, false) == text::ByteSpan{3, 4});
}

TEST_CASE("a single space at the start is kept where one may have been put in")
{
    CHECK(trimmed("a", "Ġa", {0, 1}, true) == text::ByteSpan{0, 1});
    CHECK(trimmed("  a", "ĠĠa", {0, 3}, true) == text::ByteSpan{2, 3});
}

TEST_CASE("a template puts its tokens before and after, or leaves the prompt alone")
{
    const text::PostProcessor around = text::templateProcessor({7, 8}, {9});
    const auto ids = [&](bool addSpecial) {
        std::vector<text::PromptToken> tokens = {{1, {0, 1}, "a"}};
        around("a", addSpecial, tokens);
        std::vector<text::TokenId> out;
        for (const text::PromptToken& token : tokens)
            out.push_back(token.id);
        return out;
    };
    CHECK(ids(true) == std::vector<text::TokenId>{7, 8, 1, 9});
    CHECK(ids(false) == std::vector<text::TokenId>{1});
}
