#include "text/token_match.h"

#include "support/catch.h"

#include <random>

using namespace hs;
using text::TokenSpan;

namespace {

/// Tokens that cover a text piece by piece; an empty piece is a token that covers nothing.
std::vector<text::Token> split(const std::vector<std::string>& pieces)
{
    std::vector<text::Token> tokens;
    std::uint64_t at = 0;
    for (const std::string& piece : pieces) {
        const bool isSpecial = piece.starts_with('<');
        const std::uint64_t end = isSpecial ? at : at + piece.size();
        tokens.push_back({0, piece, at, end});
        at = end;
    }
    return tokens;
}

std::vector<std::optional<TokenSpan>> matches(const std::vector<text::Token>& from,
                                              const std::vector<text::Token>& to)
{
    const text::TokenMatch match(from, to);
    std::vector<std::optional<TokenSpan>> spans;
    for (int position = 0; position < static_cast<int>(from.size()); ++position)
        spans.push_back(match.of(position));
    return spans;
}

using Spans = std::vector<std::optional<TokenSpan>>;

}  // namespace

TEST_CASE("equal tokens match position by position, also those that share a character or cover nothing")
{
    std::vector<text::Token> tokens = split({"<s>", "a", " b", "<x>", "<x>", "c", "</s>"});
    tokens.insert(tokens.begin() + 6, {{1, "\xf0\x9f", 6, 10}, {2, "\x98", 6, 10}, {2, "\x98", 6, 10}});
    const text::TokenMatch match(tokens, tokens);
    for (int position = 0; position < static_cast<int>(tokens.size()); ++position)
        CHECK(match.of(position) == TokenSpan(position));
    CHECK_FALSE(match.of(-1));
    CHECK_FALSE(match.of(static_cast<int>(tokens.size())));
}

TEST_CASE("a token matches all that cover its characters, in both directions")
{
    const auto words = split({"When", " Mary", " went"});
    const auto parts = split({"Wh", "en", " M", "ary we", "nt"});
    CHECK(matches(words, parts) == Spans{TokenSpan(0, 1), TokenSpan(2, 3), TokenSpan(3, 4)});
    CHECK(matches(parts, words) ==
          Spans{TokenSpan(0), TokenSpan(0), TokenSpan(1), TokenSpan(1, 2), TokenSpan(2)});
}

TEST_CASE("a token in front that covers nothing matches the one in front there, and no other")
{
    const auto with = split({"<s>", "a", " b"});
    const auto other = split({"<|bos|>", "a", " ", "b"});
    const auto without = split({"a b"});
    CHECK(matches(with, other) == Spans{TokenSpan(0), TokenSpan(1), TokenSpan(2, 3)});
    CHECK(matches(with, without) == Spans{std::nullopt, TokenSpan(0), TokenSpan(0)});
    CHECK(matches(without, with) == Spans{TokenSpan(1, 2)});
    CHECK(matches(split({"a", "</s>"}), split({"a", "</s>"})) == Spans{TokenSpan(0), TokenSpan(1)});
    CHECK(matches(split({"a", "</s>"}), split({"a", "<end>"})) == Spans{TokenSpan(0), std::nullopt});
}

TEST_CASE("ids given instead of a text match by position")
{
    const std::vector<text::Token> here = {{5, "x", 0, 0}, {6, "y", 0, 0}};
    const std::vector<text::Token> there = {{5, "p", 0, 0}, {6, "q", 0, 0}, {7, "r", 0, 0}};
    CHECK(matches(here, there) == Spans{TokenSpan(0), TokenSpan(1)});
    CHECK(matches(there, here) == Spans{TokenSpan(0), TokenSpan(1), std::nullopt});
}

TEST_CASE("a character that the other tokenizer drops matches the next token, and merged spaces match all of "
          "theirs")
{
    const std::vector<text::Token> spaces = {
        {0, "a", 0, 1}, {0, "   ", 1, 4}, {0, "b", 4, 5}, {0, " ", 5, 6}};
    const std::vector<text::Token> dropped = {{0, "a", 0, 1}, {0, "b", 4, 5}};
    const std::vector<text::Token> single = {
        {0, "a", 0, 1}, {0, " ", 1, 2}, {0, " ", 2, 3}, {0, " b", 3, 5}, {0, " ", 5, 6}};
    CHECK(matches(spaces, dropped) == Spans{TokenSpan(0), TokenSpan(1), TokenSpan(1), TokenSpan(1)});
    CHECK(matches(spaces, single) == Spans{TokenSpan(0), TokenSpan(1, 3), TokenSpan(3), TokenSpan(4)});
    CHECK(matches(dropped, {}) == Spans{std::nullopt, std::nullopt});
}

TEST_CASE("the bytes of one character match all tokens of that character")
{
    const std::vector<text::Token> bytes = {{1, "\xf0\x9f", 0, 4}, {2, "\x98", 0, 4}, {3, "\x80", 0, 4}};
    const std::vector<text::Token> halves = {{4, "\xf0", 0, 4}, {5, "\x9f\x98\x80", 0, 4}, {6, "!", 4, 5}};
    CHECK(matches(bytes, halves) == Spans{TokenSpan(0, 1), TokenSpan(0, 1), TokenSpan(0, 1)});
    CHECK(matches(halves, bytes) == Spans{TokenSpan(0, 2), TokenSpan(0, 2), TokenSpan(2)});
}

TEST_CASE("of two ways to split a text, each match overlaps, all overlaps match, and matches run in order")
{
    std::mt19937 random(21);
    for (int round = 0; round < 200; ++round) {
        const auto pieces = [&] {
            std::vector<text::Token> tokens = {{0, "<s>", 0, 0}};
            for (std::uint64_t at = 0; at < 40;) {
                const std::uint64_t end = std::min<std::uint64_t>(40, at + 1 + random() % 6);
                tokens.push_back({0, std::string(end - at, 'x'), at, end});
                at = end;
            }
            return tokens;
        };
        const auto here = pieces();
        const auto there = pieces();
        const Spans spans = matches(here, there);
        for (std::size_t position = 1; position < here.size(); ++position) {
            REQUIRE(spans[position]);
            for (std::size_t other = 1; other < there.size(); ++other)
                CHECK(spans[position]->contains(static_cast<int>(other)) ==
                      (there[other].begin < here[position].end && there[other].end > here[position].begin));
            CHECK(spans[position]->first >= spans[position - 1]->first);
            CHECK(spans[position]->last >= spans[position - 1]->last);
        }
    }
}

namespace {

/// For each token where it is in the other text: its place, "3-4" for several, "-" for none, "!" behind a changed one.
std::vector<std::string> placesOf(const std::vector<std::string>& from, const std::vector<std::string>& to)
{
    const auto here = split(from), there = split(to);
    const auto match = text::TokenMatch::ofTexts(here, there);
    std::vector<std::string> places;
    for (int position = 0; position < static_cast<int>(here.size()); ++position) {
        const auto span = match.of(position);
        std::string place = !span ? "-"
                            : span->first == span->last
                                ? std::to_string(span->first)
                                : std::to_string(span->first) + "-" + std::to_string(span->last);
        places.push_back(place + (match.isChanged(position) ? "!" : ""));
    }
    return places;
}

using Places = std::vector<std::string>;

}  // namespace

TEST_CASE("two texts of as many tokens match place by place where names were swapped")
{
    CHECK(placesOf({"<s>", "When", " Mary", " and", " John", " went", ",", " John", " gave"},
                   {"<s>", "When", " John", " and", " Mary", " went", ",", " Mary", " gave"}) ==
          Places{"0", "1", "2!", "3", "4!", "5", "6", "7!", "8"});
}

TEST_CASE("a word more in one text moves what follows it, and has no place in the other")
{
    CHECK(placesOf({"a", "b", "c", "d"}, {"a", "b", "x", "y", "c", "d"}) == Places{"0", "1", "4", "5"});
    CHECK(placesOf({"a", "b", "x", "y", "c", "d"}, {"a", "b", "c", "d"}) ==
          Places{"0", "1", "-!", "-!", "2", "3"});
    CHECK(placesOf({"x", "a", "b", "c"}, {"a", "b", "c", "x"}) == Places{"-!", "0", "1", "2"});
}

TEST_CASE("the first word of a text is the same word behind others, where it has a space")
{
    CHECK(placesOf({"When", " Mary"}, {"Then", " When", " Mary"}) == Places{"1", "2"});
}

TEST_CASE("a word that is cut into other tokens matches those with its characters")
{
    CHECK(placesOf({"a", "kitten", "b"}, {"a", "sit", "ting", "b"}) == Places{"0", "1-2!", "3"});
    CHECK(placesOf({"a", "sit", "ting", "b"}, {"a", "kitten", "b"}) == Places{"0", "1!", "1!", "2"});
}

TEST_CASE("texts with nothing in common, or without tokens, match by characters or not at all")
{
    CHECK(placesOf({"abc", "d"}, {"x", "y", "z"}) == Places{"0-2!", "2!"});
    CHECK(placesOf({"abc"}, {}) == Places{"-!"});
    CHECK(placesOf({}, {"abc"}).empty());
}

TEST_CASE("the matches of a text with a changed copy of it are in order both ways, and pairs are one to one")
{
    std::mt19937 random(7);
    for (int round = 0; round < 200; ++round) {
        std::vector<std::string> pieces;
        for (int count = static_cast<int>(random() % 30); count > 0; --count)
            pieces.push_back(std::string(1, static_cast<char>('a' + random() % 5)));
        std::vector<std::string> changed;
        for (const std::string& piece : pieces)
            switch (random() % 6) {
            case 0: break;
            case 1: changed.insert(changed.end(), {"new", piece}); break;
            case 2: changed.push_back("other"); break;
            default: changed.push_back(piece);
            }
        const auto here = split(pieces), there = split(changed);
        const auto match = text::TokenMatch::ofTexts(here, there);
        int last = -1;
        for (int position = 0; position < static_cast<int>(here.size()); ++position)
            if (const auto span = match.of(position)) {
                CHECK(span->first >= last);
                CHECK(span->last < static_cast<int>(there.size()));
                last = span->last;
                if (!match.isChanged(position))
                    CHECK(here[static_cast<std::size_t>(position)].text ==
                          there[static_cast<std::size_t>(span->first)].text);
            }
        int before = -1;
        for (const PositionPair& pair : text::pairsOf(here, there)) {
            CHECK(pair.second > before);
            before = pair.second;
        }
    }
}
