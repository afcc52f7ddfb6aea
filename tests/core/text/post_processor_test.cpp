#include "support/catch.h"
#include "text/post_processor.h"

using namespace hs;

namespace {

ByteSpan trimmed(std::string_view prompt, std::string_view token, ByteSpan origin, bool keepFirstSpace)
{
    std::vector<PromptToken> tokens = {{0, origin, token}};
    TrimOffsets(keepFirstSpace).apply(prompt, true, tokens);
    return tokens.front().origin;
}

}  // namespace

TEST_CASE("trimmed offsets leave out the white space at a token's ends")
{
    CHECK(trimmed(" a", "Ġa", {0, 2}, false) == ByteSpan{1, 2});
    CHECK(trimmed("  a", "ĠĠa", {0, 3}, false) == ByteSpan{2, 3});
    CHECK(trimmed("xa ", "aĠ", {1, 3}, false) == ByteSpan{1, 2});
    CHECK(trimmed("x  ", "ĠĠ", {1, 3}, false) == ByteSpan{3, 3});
    CHECK(trimmed("\u3000a", "\u3000a", {0, 4}, false) == ByteSpan{3, 4});
}

TEST_CASE("a single space at the start is kept where one may have been put in")
{
    CHECK(trimmed("a", "Ġa", {0, 1}, true) == ByteSpan{0, 1});
    CHECK(trimmed("  a", "ĠĠa", {0, 3}, true) == ByteSpan{2, 3});
}

TEST_CASE("a template puts its tokens before and after, or leaves the prompt alone")
{
    const TemplateProcessor around({7, 8}, {9});
    const auto ids = [&](bool addSpecial) {
        std::vector<PromptToken> tokens = {{1, {0, 1}, "a"}};
        around.apply("a", addSpecial, tokens);
        std::vector<TokenId> out;
        for (const PromptToken& token : tokens)
            out.push_back(token.id);
        return out;
    };
    CHECK(ids(true) == std::vector<TokenId>{7, 8, 1, 9});
    CHECK(ids(false) == std::vector<TokenId>{1});
}
