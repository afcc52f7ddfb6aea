#include "text/words.h"

#include "support/catch.h"

using namespace hs;

namespace {

/// Tokens that follow one another; the first covers nothing.
std::vector<text::Token> tokensOf(std::initializer_list<const char*> texts)
{
    std::vector<text::Token> tokens = {{0, "<bos>", 0, 0}};
    std::uint64_t end = 0;
    for (const char* const text : texts) {
        const std::string bytes = text;
        tokens.push_back({1, bytes, end, end + bytes.size()});
        end += bytes.size();
    }
    return tokens;
}

std::vector<text::TokenSpan> wordsOf(const std::vector<text::Token>& tokens)
{
    std::vector<text::TokenSpan> words;
    for (int position = 0; position < static_cast<int>(tokens.size()); position = words.back().last + 1)
        words.push_back(text::wordAround(tokens, position));
    return words;
}

}  // namespace

TEST_CASE("a word is the tokens that go on without a space or a mark")
{
    const auto tokens =
        tokensOf({"Un", "believ", "able", ",", " said", " Jo", "se", "phine", ".", "\n", "No"});
    CHECK(wordsOf(tokens) == std::vector<text::TokenSpan>{0, {1, 3}, 4, 5, {6, 8}, 9, 10, 11});
    for (const int position : {6, 7, 8})
        CHECK(text::wordAround(tokens, position) == text::TokenSpan(6, 8));
}

TEST_CASE("letters beyond ASCII are letters, a shortened word is one, and bytes of one letter stay together")
{
    CHECK(wordsOf(tokensOf({" na", "ï", "ve", " don", "'t", "'", " \xd0\xbf\xd1\x80", "\xd0\xb8"})) ==
          std::vector<text::TokenSpan>{0, {1, 3}, {4, 5}, 6, {7, 8}});
    CHECK(wordsOf(tokensOf({"\xe6\xb0", "\xb4", "\xe7\x81\xab", "\xf0\x9f", "\x98", "\x80"})) ==
          std::vector<text::TokenSpan>{0, {1, 2}, 3, {4, 6}});
}

TEST_CASE("tokens apart from each other, of no text and of other roles are words of their own")
{
    auto tokens = tokensOf({"went", "to"});
    tokens[2].begin += 1;  // a space that is in neither
    tokens[2].end += 1;
    CHECK(wordsOf(tokens) == std::vector<text::TokenSpan>{0, 1, 2});
    tokens = tokensOf({"user", "name"});
    tokens[1].role = text::TokenRole::Begin;
    CHECK(wordsOf(tokens) == std::vector<text::TokenSpan>{0, 1, 2});
    const std::vector<text::Token> ids = {{5, "a", 0, 0}, {6, "b", 0, 0}};
    CHECK(wordsOf(ids) == std::vector<text::TokenSpan>{0, 1});
}
