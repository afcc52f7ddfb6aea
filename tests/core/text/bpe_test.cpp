#include "support/catch.h"
#include "text/bpe.h"

#include <string>

using namespace hs;

namespace {

/// Ids are the indices in the list.
text::Bpe bpeOf(std::initializer_list<const char*> tokens, const text::Bpe::Merges& merges,
                text::BpeOptions options = {})
{
    text::Vocabulary vocabulary;
    std::int64_t id = 0;
    for (const char* token : tokens)
        vocabulary.add(token, id++);
    return text::Bpe(std::move(vocabulary), merges, std::move(options));
}

std::string tokensOf(const text::Bpe& bpe, std::string_view piece)
{
    std::vector<text::PieceToken> tokens;
    bpe.encoder()(piece, tokens);
    std::string out;
    for (const text::PieceToken& token : tokens)
        out.append("|").append(bpe.vocabulary().textOf(token.id));
    return out + "|";
}

}  // namespace

TEST_CASE("the pair of the lowest rank joins first, then the leftmost")
{
    const text::Bpe bpe =
        bpeOf({"a", "b", "c", "ab", "bc", "abc", "aa"}, {{"b", "c"}, {"a", "b"}, {"a", "bc"}, {"a", "a"}});
    CHECK(tokensOf(bpe, "abc") == "|abc|");
    CHECK(tokensOf(bpe, "abab") == "|ab|ab|");
    CHECK(tokensOf(bpe, "aaa") == "|aa|a|");
    CHECK(tokensOf(bpe, "") == "|");
}

TEST_CASE("ignore_merges takes a whole piece that is a token, merges or not")
{
    text::BpeOptions options;
    CHECK(tokensOf(bpeOf({"a", "b", "ab"}, {}, options), "ab") == "|a|b|");
    options.ignoreMerges = true;
    CHECK(tokensOf(bpeOf({"a", "b", "ab"}, {}, options), "ab") == "|ab|");
}

TEST_CASE("unknown characters are dropped, fused or kept apart")
{
    text::BpeOptions options;
    CHECK(tokensOf(bpeOf({"?", "a"}, {}, options), "axya") == "|a|a|");
    options.unkToken = std::string("?");
    CHECK(tokensOf(bpeOf({"?", "a"}, {}, options), "axya") == "|a|?|?|a|");
    options.fuseUnk = true;
    CHECK(tokensOf(bpeOf({"?", "a"}, {}, options), "axya") == "|a|?|a|");
}

TEST_CASE("cutting a long piece where nothing joins does not change its tokens")
{
    const text::Bpe::Merges merges = {{"_", "a"}, {"b", "b"}, {"_a", "bb"}};
    const text::Bpe bpe = bpeOf({"_", "a", "b", "_a", "bb", "_abb"}, merges);
    CHECK_FALSE(bpe.mayJoin('b', '_'));
    CHECK(bpe.mayJoin('a', 'b'));
    CHECK(bpe.mayJoin('b', 'x'));  // not a token: it may become anything
    std::string piece, expected;
    for (int i = 0; i < 100; ++i) {
        piece += "_abbb";
        expected += "|_abb|b";
    }
    CHECK(tokensOf(bpe, piece) == expected + "|");
}
