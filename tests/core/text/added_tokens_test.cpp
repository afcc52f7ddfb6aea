#include "support/catch.h"
#include "text/added_tokens.h"

#include <string>

using namespace hs;

namespace {

text::AddedToken token(std::string content, bool lstrip = false, bool rstrip = false, bool singleWord = false)
{
    text::AddedToken added;
    added.content = std::move(content);
    added.lstrip = lstrip;
    added.rstrip = rstrip;
    added.singleWord = singleWord;
    return added;
}

/// Sections between bars, those that are tokens in brackets.
std::string sections(const std::vector<text::AddedToken>& tokens, std::string_view text)
{
    std::string out;
    for (const auto& [bounds, id] : text::AddedTokens(tokens, text::Vocabulary(), nullptr).splitRaw(text))
        out.append(id ? "|[" : "|").append(bounds.of(text)).append(id ? "]" : "");
    return out + "|";
}

}  // namespace

TEST_CASE("the longest added token at the leftmost place is taken")
{
    CHECK(sections({token("XX"), token("XXY")}, "aXXYXXb") == "|a|[XXY]|[XX]|b|");
    CHECK(sections({token("XX")}, "") == "|");
    CHECK(sections({}, "XX") == "|XX|");
}

TEST_CASE("stripping tokens take the white space around them along")
{
    CHECK(sections({token("X", true, true)}, "a \u3000X\n b") == "|a|[ \u3000X\n ]|b|");
    CHECK(sections({token("X", false, true), token("Y", true)}, "X  Y") == "|[X  ]|[Y]|");
    CHECK(sections({token("  ", true, true)}, "   \t  a") == "|[   \t  ]|a|");
}

TEST_CASE("a single-word token does not touch a word")
{
    CHECK(sections({token("X", false, false, true)}, "X, aX X1 _X éX\u200dX X") ==
          "|[X]|, aX X1 _X éX\u200dX |[X]|");
}

TEST_CASE("added tokens that the model does not know get the ids after its own")
{
    text::Vocabulary model;
    model.add("a", 0);
    model.add("X", 1);
    const text::AddedTokens added({token("X"), token("Y"), token("Z"), token("Y")}, model, nullptr);
    CHECK(added.vocabulary().idOf("X") == 1u);
    CHECK(added.vocabulary().idOf("Y") == 2u);
    CHECK(added.vocabulary().idOf("Z") == 3u);
}
