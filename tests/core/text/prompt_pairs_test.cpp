#include "text/prompt_pairs.h"

#include "support/catch.h"
#include "support/temp_dir.h"
#include "text/single_token.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <set>

using namespace hs;
using Json = nlohmann::json;

namespace {

const std::vector<std::string> kWords = {"When", "After",  "While", "Then", "and",   "went", "to",
                                         "the",  "were",   "at",    "had",  "a",     "long", "walk",
                                         "gave", "handed", "store", "park", "drink", "book", "The",
                                         "war",  "lasted", "from",  "year", "siege", ","};

/// How a vocabulary has the digits after a century.
enum class Years { Single, InTwos, WithCentury };

/// A byte-level vocabulary whose words, after a space, are one token each; other text is cut into letters.
/// `more` are tokens after a quotation mark, too.
std::shared_ptr<const text::Tokenizer> tokenizerOf(const std::vector<std::string>& names, Years years,
                                                   const std::vector<std::string>& more = {})
{
    Json vocabulary = Json::object();
    Json merges = Json::array();
    const auto add = [&](const std::string& token) {
        if (!vocabulary.contains(token))
            vocabulary[token] = vocabulary.size();
    };
    for (char c = '!'; c <= '~'; ++c)
        add(std::string(1, c));
    add("\u0120");
    const auto addWord = [&](const std::string& text, const std::string& start) {
        std::string whole = start;
        for (const char c : text) {
            if (!whole.empty()) {
                merges.push_back(whole + " " + c);
                add(whole + c);
            }
            whole += c;
        }
    };
    for (const std::string& word : kWords)
        addWord(word, "\u0120");
    for (const char* const word : {"When", "After", "While", "Then", "The"})
        addWord(word, "");
    for (const std::string& name : names)
        addWord(name, "\u0120");
    for (const std::string& word : more) {
        addWord(word, "\u0120");
        addWord(word, "");
    }
    addWord("17", "\u0120");
    if (years == Years::WithCentury)
        for (int decade = 0; decade < 10; ++decade)
            addWord("17" + std::to_string(decade), "\u0120");
    if (years == Years::InTwos)
        for (int year = 0; year < 100; ++year)
            addWord((year < 10 ? "0" : "") + std::to_string(year), "");
    const test::TempDir folder;
    folder.write("tokenizer.json",
                 Json{{"version", "1.0"},
                      {"added_tokens", Json::array()},
                      {"normalizer", nullptr},
                      {"pre_tokenizer",
                       {{"type", "ByteLevel"},
                        {"add_prefix_space", false},
                        {"trim_offsets", true},
                        {"use_regex", false}}},
                      {"post_processor", nullptr},
                      {"decoder",
                       {{"type", "ByteLevel"},
                        {"add_prefix_space", true},
                        {"trim_offsets", true},
                        {"use_regex", true}}},
                      {"model", {{"type", "BPE"}, {"vocab", vocabulary}, {"merges", merges}}}}
                     .dump());
    auto tokenizer = text::Tokenizer::load(folder.path());
    if (!tokenizer)
        FAIL(tokenizer.error().message);
    return *tokenizer;
}

std::vector<std::int64_t> idsOf(const text::Tokenizer& tokenizer, const std::string& text)
{
    return tokenizer.encode(text, false)->ids;
}

std::vector<text::PromptPair> pairsOf(const text::Tokenizer& tokenizer, text::PairTask task, int count,
                                      std::uint64_t seed = 1)
{
    const auto pairs = text::makePairs(tokenizer, task, count, seed);
    if (!pairs)
        FAIL(pairs.error().message);
    return *pairs;
}

/// What makes a pair fit for patching: as many tokens, one of them different, the last the same.
void requireFit(const text::Tokenizer& tokenizer, const text::PromptPair& pair)
{
    INFO(pair.clean << " / " << pair.corrupted);
    const auto clean = idsOf(tokenizer, pair.clean);
    const auto corrupted = idsOf(tokenizer, pair.corrupted);
    REQUIRE(clean.size() == corrupted.size());
    CHECK(clean.back() == corrupted.back());
    std::size_t different = 0;
    for (std::size_t position = 0; position < clean.size(); ++position)
        different += clean[position] != corrupted[position];
    CHECK(different == 1);
    CHECK(text::singleToken(tokenizer, pair.target));
    CHECK(text::singleToken(tokenizer, pair.versus));
    CHECK(pair.target != pair.versus);
    CHECK(std::count(pair.answers.begin(), pair.answers.end(), pair.target) == 1);
    CHECK(std::count(pair.answers.begin(), pair.answers.end(), pair.versus) == 0);
}

int decadeOf(const std::string& text)
{
    return text[text.find("year 17") + 7] - '0';
}

}  // namespace

TEST_CASE("pairs of indirect objects differ in the second mention and use names that are one token")
{
    const auto tokenizer = tokenizerOf({"Mary", "John", "Tom", "Amy", "Dan"}, Years::Single);
    const auto pairs = pairsOf(*tokenizer, text::PairTask::IndirectObjects, 60);
    CHECK(pairs.size() == 60);
    std::set<std::string> targets;
    for (const text::PromptPair& pair : pairs) {
        requireFit(*tokenizer, pair);
        targets.insert(pair.target);
        const auto count = [](const std::string& text, const std::string& word) {
            int found = 0;
            for (std::size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + 1))
                ++found;
            return found;
        };
        CHECK(count(pair.clean, pair.versus) == 2);  // the name that is repeated is not the answer
        CHECK(count(pair.clean, pair.target) == 1);
        CHECK(count(pair.corrupted, pair.target) == 2);
    }
    CHECK(targets == std::set<std::string>{" Mary", " John", " Tom", " Amy", " Dan"});
}

TEST_CASE("pairs of years ask for one after both starts against one that only the earlier start allows")
{
    const auto tokenizer = tokenizerOf({}, Years::InTwos);
    const auto pairs = pairsOf(*tokenizer, text::PairTask::GreaterThan, 60);
    for (const text::PromptPair& pair : pairs) {
        requireFit(*tokenizer, pair);
        const auto startOf = [](const std::string& text) {
            return std::stoi(text.substr(text.find("year 17") + 7, 2));
        };
        const int start = startOf(pair.clean);
        CHECK(startOf(pair.corrupted) < std::stoi(pair.versus));
        CHECK(std::stoi(pair.versus) <= start);
        CHECK(start < std::stoi(pair.target));
        CHECK(pair.clean.ends_with(" to the year 17"));
        // Appended to the prompt, the answer is the same single token.
        const auto whole = idsOf(*tokenizer, pair.clean + pair.target);
        CHECK(whole.back() == *text::singleToken(*tokenizer, pair.target));
        CHECK(whole.size() == idsOf(*tokenizer, pair.clean).size() + 1);
    }
}

TEST_CASE("where every digit is a token, pairs of years ask for the decade")
{
    const auto tokenizer = tokenizerOf({}, Years::Single);
    for (const text::PromptPair& pair : pairsOf(*tokenizer, text::PairTask::GreaterThan, 60)) {
        requireFit(*tokenizer, pair);
        const int start = decadeOf(pair.clean);
        CHECK(decadeOf(pair.corrupted) < std::stoi(pair.versus));
        CHECK(std::stoi(pair.versus) < start);
        CHECK(start < std::stoi(pair.target));
        // The decade itself has later years.
        CHECK(pair.answers.size() == static_cast<std::size_t>(10 - start));
        CHECK(pair.answers.front() == std::to_string(start));
    }
}

TEST_CASE("pairs of opposites ask about another word each, in sentences whose words are single tokens")
{
    const auto tokenizer =
        tokenizerOf({}, Years::Single,
                    {"opposite", "of", "is", "hot", "cold", "big", "small", "up", "down", "wet", "dry"});
    std::set<std::string> targets;
    for (const text::PromptPair& pair : pairsOf(*tokenizer, text::PairTask::Opposites, 60)) {
        requireFit(*tokenizer, pair);
        CHECK(pair.clean.starts_with("The opposite of"));
        CHECK(pair.clean.find(pair.target) == std::string::npos);  // not given away
        CHECK(pair.corrupted.find(pair.versus) == std::string::npos);
        targets.insert(pair.target);
    }
    CHECK(targets.size() >= 8);
    const auto few = tokenizerOf({}, Years::Single, {"opposite", "of", "is", "hot", "cold"});
    const auto refused = text::makePairs(*few, text::PairTask::Opposites, 3, 1);
    REQUIRE_FALSE(refused);
    CHECK(refused.error().message.find("has 2 that are single tokens") != std::string::npos);
}

TEST_CASE("pairs of repeated words ask for the word that followed before")
{
    std::vector<std::string> words;
    for (char first = 'a'; first <= 'z'; ++first)
        for (const char* const end : {"lop", "rim"})
            words.push_back(first + std::string(end));
    const auto tokenizer = tokenizerOf({}, Years::Single, words);
    for (const text::PromptPair& pair : pairsOf(*tokenizer, text::PairTask::Induction, 60)) {
        requireFit(*tokenizer, pair);
        const auto ids = idsOf(*tokenizer, pair.clean);
        const auto other = idsOf(*tokenizer, pair.corrupted);
        const auto before = std::find(ids.begin(), ids.end(), ids.back());
        REQUIRE(before != ids.end() - 1);
        CHECK(*(before + 1) == *text::singleToken(*tokenizer, pair.target));
        CHECK(other[static_cast<std::size_t>(before - ids.begin()) + 1] ==
              *text::singleToken(*tokenizer, pair.versus));
    }
    const auto refused = text::makePairs(*tokenizerOf({}, Years::Single), text::PairTask::Induction, 3, 1);
    REQUIRE_FALSE(refused);
    CHECK(refused.error().message.find("words as single tokens") != std::string::npos);
}

TEST_CASE("a seed gives the same pairs each time, another gives others, and none comes twice")
{
    const auto tokenizer = tokenizerOf({"Mary", "John", "Tom", "Amy"}, Years::InTwos);
    for (const text::PairTask task : {text::PairTask::IndirectObjects, text::PairTask::GreaterThan}) {
        const auto pairs = pairsOf(*tokenizer, task, 40, 7);
        CHECK(pairs == pairsOf(*tokenizer, task, 40, 7));
        CHECK(pairs != pairsOf(*tokenizer, task, 40, 8));
        std::set<std::string> prompts;
        for (const text::PromptPair& pair : pairs)
            CHECK(prompts.insert(pair.clean + pair.corrupted).second);
    }
}

TEST_CASE("a tokenizer that lacks what a task needs is refused with what it lacks")
{
    const auto refusal = [](const text::Tokenizer& tokenizer, text::PairTask task, int count = 3) {
        const auto refused = text::makePairs(tokenizer, task, count, 1);
        REQUIRE_FALSE(refused);
        CHECK(refused.error().message.ends_with("."));
        return refused.error().message;
    };
    const auto fewNames = tokenizerOf({"Mary", "John"}, Years::WithCentury);
    CHECK(refusal(*fewNames, text::PairTask::IndirectObjects).find("has 2 as single tokens") !=
          std::string::npos);
    CHECK(refusal(*fewNames, text::PairTask::GreaterThan).find("cuts 0 into a century") != std::string::npos);
    const auto enough = tokenizerOf({"Mary", "John", "Tom", "Amy"}, Years::Single);
    CHECK(refusal(*enough, text::PairTask::IndirectObjects, 100000).find("ask for fewer") !=
          std::string::npos);
}
