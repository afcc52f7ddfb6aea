#include "text/blocks.h"

#include "support/catch.h"
#include "support/mentions.h"

using namespace hs;
using namespace hs::test;
using text::BlockUnit;
using text::TokenRole;

namespace {

/// Tokens that follow one another; the first covers nothing.
std::vector<text::Token> textOf(std::initializer_list<std::string> texts)
{
    std::vector<text::Token> tokens = {{0, "<bos>", 0, 0}};
    std::uint64_t end = 0;
    for (const std::string& text : texts) {
        tokens.push_back({static_cast<std::int64_t>(tokens.size()), text, end, end + text.size()});
        end += text.size();
    }
    return tokens;
}

struct MessageToken {
    const char* text;
    TokenRole role;
    int message;
};

std::vector<text::Token> chatOf(std::initializer_list<MessageToken> parts)
{
    std::vector<text::Token> tokens;
    std::uint64_t end = 0;
    for (const auto& [words, role, message] : parts) {
        const std::string text = words;
        tokens.push_back(
            {static_cast<std::int64_t>(tokens.size()), text, end, end + text.size(), role, message});
        end += text.size();
    }
    return tokens;
}

/// "a b|c": the texts of the blocks.
std::string cut(const text::BlockChoice& choice, const std::vector<text::Token>& tokens)
{
    const text::Blocks blocks = text::blocksOf(choice, tokens);
    std::string words;
    for (int block = 0; block < blocks.spans.count(); ++block) {
        words += block > 0 ? "|" : "";
        for (int token = blocks.spans.begin(block); token < blocks.spans.end(block); ++token)
            words += tokens[static_cast<std::size_t>(token)].text;
    }
    return words;
}

text::BlockChoice ownBlocks(const std::string& typed)
{
    const Result<text::BlockChoice> read = text::parseBlocks(typed);
    REQUIRE(read);
    return *read;
}

std::string refusalOf(const std::string& typed)
{
    const Result<text::BlockChoice> read = text::parseBlocks(typed);
    REQUIRE(!read);
    return read.error().message;
}

}  // namespace

TEST_CASE("a text is cut into words, sentences and lines, and each token is in one block")
{
    const auto tokens = textOf({"The", " cat", " s", "at", ".",   " \"", "Why", "?\"", " it", " asked",
                                ".",   "\n",   "\n", "Pi", " is", " 3",  ".",   "14",  "!",   " Yes"});
    CHECK(cut({BlockUnit::Words}, tokens) ==
          "<bos>|The| cat| sat|.| \"|Why|?\"| it| asked|.|\n|\n|Pi| is| 3|.|14|!| Yes");
    CHECK(cut({BlockUnit::Sentences}, tokens) ==
          "<bos>|The cat sat.| \"Why?\"| it asked.\n\n|Pi is 3.14!| Yes");
    CHECK(cut({BlockUnit::Lines}, tokens) == "<bos>|The cat sat. \"Why?\" it asked.\n\n|Pi is 3.14! Yes");
    CHECK(cut({BlockUnit::Sentences}, textOf({"\xe6\xb0\xb4\xe3\x80\x82", "\xe7\x81\xab"})) == "");
    CHECK(cut({BlockUnit::Sentences}, textOf({"\xe6\xb0\xb4", "\xe3\x80\x82", "\xe7\x81\xab", "x"})) ==
          "<bos>|\xe6\xb0\xb4\xe3\x80\x82|\xe7\x81\xabx");
}

TEST_CASE("a chat is cut into its messages with what the template puts around them, named by who says them")
{
    const auto tokens = chatOf({{"<s>", TokenRole::Begin, -1},
                                {"<|im_start|>", TokenRole::Frame, 0},
                                {"user\n", TokenRole::Frame, 0},
                                {"Kind", TokenRole::System, 0},
                                {"Hello", TokenRole::User, 0},
                                {"<|im_end|>", TokenRole::Frame, 0},
                                {"\n", TokenRole::Frame, 0},
                                {"<|im_start|>", TokenRole::Frame, 1},
                                {"Hi", TokenRole::Assistant, 1},
                                {"<|im_end|>", TokenRole::Frame, 1},
                                {"<|im_start|>", TokenRole::Frame, 2},
                                {"Bye", TokenRole::User, 2},
                                {"<|im_start|>", TokenRole::Frame, 3},
                                {"<|im_start|>", TokenRole::Frame, 4},
                                {" So", TokenRole::Text, -1}});  // what a model wrote
    CHECK(cut({BlockUnit::Messages}, tokens) == "<s>|<|im_start|>user\nKindHello<|im_end|>\n|<|im_start|>Hi<|"
                                                "im_end|>|<|im_start|>Bye|<|im_start|>|<|im_start|> So");
    const text::Blocks blocks = text::blocksOf({BlockUnit::Messages}, tokens);
    CHECK(blocks.names ==
          std::vector<std::string>{"<s>", "user 1", "assistant 1", "user 2", "message 4", "answer"});
    CHECK(!text::blocksOf({BlockUnit::Messages}, textOf({"no", " chat"})).spans.folds());
    // No sentence goes on from one message into the next.
    CHECK(cut({BlockUnit::Sentences}, chatOf({{"Oh", TokenRole::User, 0},
                                              {" yes", TokenRole::User, 0},
                                              {"<e>", TokenRole::Frame, 1},
                                              {"no", TokenRole::Assistant, 1}})) == "Oh yes|<e>no");
}

TEST_CASE("own blocks leave other tokens as they are, and those that reach beyond the text end with it")
{
    const auto tokens = textOf({"a", "b", "c", "d"});
    CHECK(cut(ownBlocks("1-2=first,4"), tokens) == "<bos>|ab|c|d");
    CHECK(text::blocksOf(ownBlocks("1-2=first,4"), tokens).names ==
          std::vector<std::string>{"<bos>", "first", "c", "d"});
    CHECK(cut(ownBlocks("3-99"), tokens) == "<bos>|a|b|cd");
    CHECK(cut(ownBlocks("7-9"), tokens) == "");
    CHECK(cut(ownBlocks("2,3"), tokens) == "");
    // However they came to be.
    CHECK(cut({BlockUnit::Own, {{{2, 3}}, {{1, 2}}, {{3, 4}}, {{-5, 0}}}}, tokens) == "<bos>|a|bc|d");
    CHECK(cut({BlockUnit::Own, {{{3, 2}}}}, tokens) == "");
}

TEST_CASE("marks that overlap a new one give way, and a mark can be taken away")
{
    text::BlockChoice choice;
    choice.mark({{5, 8}, "late"});
    choice.mark({{0, 2}, " a, b\n"});
    CHECK(choice.unit == BlockUnit::Own);
    CHECK(toString(choice) == "0-2=a  b,5-8=late");
    choice.mark({{7, 9}, ""});
    CHECK(toString(choice) == "0-2=a  b,7-9");
    choice.unmark(1);
    CHECK(toString(choice) == "7-9");
    choice.unmark(3);
    CHECK(toString(choice) == "7-9");
}

TEST_CASE("blocks are read as they are written, and what is none is refused with a remedy")
{
    for (const char* const typed :
         {"tokens", "words", "sentences", "lines", "messages", "0-4=question,5-12,14=x", "3", "3-3=one"}) {
        INFO(typed);
        const text::BlockChoice choice = ownBlocks(typed);
        CHECK(ownBlocks(toString(choice)) == choice);
    }
    CHECK(ownBlocks("").isNone());
    for (const char* const bad :
         {"paragraphs", "own", "4-2", "a-b", "-3", "1-2-3", "99999999999", "1-", ",", "1,,2"})
        CHECK(mentions(refusalOf(bad), "names no blocks; give words"));
    for (const char* const bad : {"0-4,4-5", "3,3", "5,1-2"})
        CHECK(mentions(refusalOf(bad), "overlap or stand in another order"));
    const std::string hostile = "1-2=" + std::string(5000, 'x') + "\xff\x01";
    CHECK(ownBlocks(hostile).own.front().name.size() == text::kLongestBlockName);
}

TEST_CASE("texts of no, one or odd tokens have blocks or none, and never fail")
{
    for (const BlockUnit unit : {BlockUnit::Tokens, BlockUnit::Words, BlockUnit::Sentences, BlockUnit::Lines,
                                 BlockUnit::Messages, BlockUnit::Own}) {
        const text::BlockChoice choice{unit, {{{0, 3}, "all"}}};
        CHECK(!text::blocksOf(choice, {}).spans.folds());
        CHECK(!text::blocksOf(choice, textOf({})).spans.folds());
        const auto odd = textOf({"\xff\xfe", "\xf0\x9f", "\x98\x80", "", "\n", " ", "\xe3\x80"});
        const text::Blocks blocks = text::blocksOf(choice, odd);
        CHECK(blocks.spans.fit(static_cast<int>(odd.size())));
        CHECK(std::ssize(blocks.names) == blocks.spans.count());
    }
}

TEST_CASE("a block is a token of its own: its name, where it stands, and an id that equal ones share")
{
    auto tokens = textOf({"A", " dog", ".", " A", " cat", ".", " A", " dog", "."});
    tokens[7].id = tokens[1].id;
    tokens[4].id = tokens[1].id;
    tokens[8].id = tokens[2].id;
    tokens[3].id = tokens[6].id = tokens[9].id;
    const std::vector<text::Token> blocks =
        text::tokensOf(text::blocksOf({BlockUnit::Sentences}, tokens), tokens);
    REQUIRE(blocks.size() == 4);
    CHECK(blocks[0].text == "<bos>");
    CHECK(blocks[0].id == 0);
    CHECK(blocks[1].text == "A dog.");
    CHECK(blocks[1].begin == 0);
    CHECK(blocks[1].end == tokens[3].end);
    CHECK(blocks[1].id == blocks[3].id);
    CHECK(blocks[1].id != blocks[2].id);
    CHECK(blocks[1].role == TokenRole::Text);
    const auto longOne = textOf({"Whatever", " you", " say", " about", " this", ",", " say", " more", "."});
    CHECK(text::blocksOf({BlockUnit::Sentences}, longOne).names.back() == "Whatever you say about…");
}
