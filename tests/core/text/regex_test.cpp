#include "base/failure.h"
#include "support/catch.h"
#include "text/regex.h"
#include "text/regex_syntax.h"
#include "text/split.h"
#include "text/time_limit.h"

#include <string>

using namespace hs;

namespace {

/// The matches, each between bars.
std::string marked(std::string_view pattern, std::string_view text)
{
    std::string out;
    for (const text::ByteSpan& match : text::Regex(pattern).findAll(text))
        out.append("|").append(match.of(text));
    return out + (out.empty() ? "" : "|");
}

std::string patternRefusal(std::string_view pattern)
{
    try {
        text::Regex{pattern};
    } catch (const Failure& failure) {
        return failure.error().message;
    }
    return {};
}

std::string pieces(std::string_view text, text::SplitBehavior behavior, bool invert = false)
{
    std::string out;
    const auto matches = text::Pattern::literal("-").findAll(text);
    for (const text::ByteSpan& piece :
         text::splitAt(matches, static_cast<std::uint32_t>(text.size()), behavior, invert))
        out.append("|").append(piece.of(text));
    return out + "|";
}

}  // namespace

TEST_CASE("white space in a pattern is what it is in tokenizer.json")
{
    CHECK(marked(R"(\s)", "\u0085\u00a0\u3000\u2028").size() == 2 + 2 + 3 + 3 + 5);
    for (const char* other : {"\u180e", "\u200b", "\ufeff", "\x1c", "\x1f"})
        CHECK(marked(R"(\s)", other).empty());
    CHECK(marked(R"([^\S\n]+)", "a \t\nb") == "| \t|");
}

TEST_CASE("letters and digits newer than PCRE2 are known")
{
    CHECK(marked(R"(\p{L}+)", "\U00011f02\U00031350\U0001e4d0 x") == "|\U00011f02\U00031350\U0001e4d0|x|");
    CHECK(marked(R"(\p{N})", "\U00010d40") == "|\U00010d40|");
}

TEST_CASE("quantifiers repeat as in tokenizer.json")
{
    CHECK(marked("a{1,2}+", "aaaab") == "|aaaa|");
    CHECK(marked("(?:ab){1,2}+", "ababab") == "|ababab|");
    CHECK(marked("a++a", "aaa").empty());
    CHECK(marked("a{,2}b", "aaab") == "|aab|");
    CHECK(marked("a{2}?b", "aab b") == "|aab|b|");
    CHECK(marked("a{x", "a{x") == "|a{x|");
}

TEST_CASE("lines, dots and case are as in tokenizer.json")
{
    CHECK(marked("^b|a$", "a\nb") == "|a|b|");
    CHECK(marked("a.b", "a\nb").empty());
    CHECK(marked("(?m:a.b)", "a\nb") == "|a\nb|");
    CHECK(marked("(?i:'s)", "'S 'ſ") == "|'S|'ſ|");
    CHECK(marked(R"(\w+)", "é²_a-b") == "|é²_a|b|");
    CHECK(marked(R"([\w]+)", "é²_a") == "|é|_a|");
    CHECK(marked(R"(\bthe\b)", "the then thé the") == "|the|the|");
    CHECK(marked(R"(\p{Han}+)", "日本、の") == "|日本|");
    CHECK(marked(R"(\u0041|\x42|\x{e9}|\h)", "ABégc") == "|A|B|é|c|");
}

TEST_CASE("an empty match right behind another is passed over")
{
    CHECK(text::Regex("x*").findAll("axb") == std::vector<text::ByteSpan>{{0, 0}, {1, 2}, {3, 3}});
    CHECK(text::Regex("").findAll("é") == std::vector<text::ByteSpan>{{0, 0}, {2, 2}});
}

TEST_CASE("what PCRE2 would read differently is refused by name")
{
    for (const char* construct : {"&&", "[b", "(?x", R"(\G)", R"(\R)", R"(\W)", "(?<n", "(*"}) {
        const std::string pattern = construct == std::string("&&")      ? "[a-z&&b]"
                                    : construct == std::string("[b")    ? "[a[b]]"
                                    : construct == std::string(R"(\W)") ? R"([\Wa])"
                                    : construct == std::string("(?<n")  ? "(?<n>a)"
                                    : construct == std::string("(*")    ? "(*UTF)a"
                                    : construct == std::string("(?x")   ? "(?x)a"
                                                                        : construct;
        INFO(pattern);
        CHECK(patternRefusal(pattern).find(construct) != std::string::npos);
    }
    for (const char* broken : {"(", "[a", "a)", "\\", R"(\p{Nonsense})", R"(\x{110000})", "*"})
        CHECK_FALSE(patternRefusal(broken).empty());
}

TEST_CASE("a runaway pattern ends in an error")
{
    const text::Regex runaway("(?:a|aa)+[bc]");
    CHECK_THROWS_AS(runaway.findAll(std::string(5000, 'a')), Failure);
}

TEST_CASE("a pattern whose every start is slow ends when the time given to the text is over")
{
    // About 20,000 steps at each of 100,000 starts: no single match is a runaway.
    const text::Regex slow("a{0,200}a{0,200}[bc]");
    const text::TimeLimit limit(std::chrono::milliseconds(50));
    CHECK_THROWS_AS(slow.findAll(std::string(100'000, 'a')), Failure);
}

TEST_CASE("a match is found however far away it starts")
{
    for (const std::size_t distance : {510, 511, 512, 513, 1535, 5000}) {
        INFO(distance);
        const auto at = static_cast<std::uint32_t>(2 * distance + 1);
        std::string text = "a";
        for (std::size_t i = 0; i < distance; ++i)
            text += "é";  // so that a search resumes inside a character
        CHECK(text::Regex("[xy]").findAll(text + "y").back() == text::ByteSpan{at, at + 1});
        CHECK(text::Regex("(?<=é)$").findAll(text) == std::vector<text::ByteSpan>{{at, at}});
        CHECK(text::Regex("[xy]").findAll(text).empty());
    }
}

TEST_CASE("a split keeps, drops or joins its matches")
{
    const char* text = "the-final--countdown-";
    CHECK(pieces(text, text::SplitBehavior::Removed) == "|the|final|countdown|");
    CHECK(pieces(text, text::SplitBehavior::Isolated) == "|the|-|final|-|-|countdown|-|");
    CHECK(pieces(text, text::SplitBehavior::MergedWithPrevious) == "|the-|final-|-|countdown-|");
    CHECK(pieces(text, text::SplitBehavior::MergedWithNext) == "|the|-final|-|-countdown|-|");
    CHECK(pieces(text, text::SplitBehavior::Contiguous) == "|the|-|final|--|countdown|-|");
    CHECK(pieces(text, text::SplitBehavior::Removed, true) == "|-|-|-|-|");
    CHECK(pieces(text, text::SplitBehavior::MergedWithPrevious, true) == "|the|-final|-|-countdown|-|");
    CHECK(pieces(text, text::SplitBehavior::MergedWithNext, true) == "|the-|final-|-|countdown-|");
}
