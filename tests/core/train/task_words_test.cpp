#include "core/train/task_oracle.h"
#include "support/catch.h"
#include "support/temp_dir.h"
#include "text/tokenizer.h"
#include "train/task_suite.h"
#include "train/task_tokenizer.h"
#include "train/task_words.h"

#include <set>

using namespace hs;

namespace {

std::shared_ptr<const text::Tokenizer> taskTokenizer()
{
    const test::TempDir folder;
    const auto loaded = text::Tokenizer::load(folder.write("tokenizer.json", train::taskTokenizerJson()));
    REQUIRE(loaded.ok());
    return *loaded;
}

}  // namespace

TEST_CASE("each word of the tasks has one id")
{
    const std::vector<std::string> words = train::TaskSuite().words();
    CHECK(std::set<std::string>(words.begin(), words.end()).size() == words.size());
    CHECK(static_cast<std::int64_t>(words.size()) == train::kTaskWordCount);
    CHECK(words[train::kBos] == "<bos>");
    CHECK(words[train::kUnknown] == "<unk>");
}

TEST_CASE("digits and years have neighbouring ids in rising order")
{
    const std::vector<std::string> words = train::TaskSuite().words();
    for (int digit = 0; digit < 10; ++digit)
        CHECK(words[static_cast<std::size_t>(train::kDigits[digit])] == std::to_string(digit));
    for (int year = 10; year < 100; ++year)
        CHECK(words[static_cast<std::size_t>(train::kYears[year - 10])] == std::to_string(year));
}

TEST_CASE("things and landmarks stand beside their plurals")
{
    const auto check = [](train::WordGroup one, train::WordGroup many) {
        REQUIRE(train::wordsOf(one).count == train::wordsOf(many).count);
        for (std::int64_t at = 0; at < train::wordsOf(one).count; ++at) {
            const std::string_view single =
                train::kTaskWords[static_cast<std::size_t>(train::wordsOf(one)[at])];
            const std::string_view plural =
                train::kTaskWords[static_cast<std::size_t>(train::wordsOf(many)[at])];
            CHECK(plural.substr(0, 3) == single.substr(0, 3));
            CHECK(plural.back() == 's');
            CHECK(single.back() != 's');
        }
    };
    check(train::WordGroup::Things, train::WordGroup::ManyThings);
    check(train::WordGroup::Landmarks, train::WordGroup::ManyLandmarks);
}

TEST_CASE("the tasks' tokenizer gives a prompt's text the prompt's tokens")
{
    const auto tokenizer = taskTokenizer();
    CHECK(tokenizer->vocabularySize() == train::kTaskWordCount);
    const train::TaskSuite suite;
    for (int task = 0; task < train::kTaskCount; ++task)
        for (std::uint64_t number = 0; number < 100; ++number) {
            const train::TaskPrompt prompt =
                suite.prompt(static_cast<train::Task>(task), train::Split::Training, number);
            const std::string text = suite.text(prompt.tokens);
            CAPTURE(text);
            const auto encoded = tokenizer->encode(text);
            REQUIRE(encoded.ok());
            CHECK(encoded->ids == prompt.tokens);
        }
}

TEST_CASE("the tasks' tokenizer knows the words of well-known examples")
{
    const auto tokenizer = taskTokenizer();
    for (const char* text :
         {R"(The opposite of " large " is ")", "The war lasted from the year 17 32 to the year 17",
          "When Mary and John went to the store , John gave a drink to", "3 6 + 2 8 = 0 6 4 .",
          "Today the keys to the old cabinet near the window are lost ."}) {
        CAPTURE(text);
        const auto encoded = tokenizer->encode(text);
        REQUIRE(encoded.ok());
        CHECK(encoded->ids.size() == test::wordsIn(text).size() + 1);
        CHECK(std::count(encoded->ids.begin(), encoded->ids.end(), train::kUnknown) == 0);
    }
    const auto encoded = tokenizer->encode("The zebra");
    REQUIRE(encoded.ok());
    CHECK(encoded->ids.back() == train::kUnknown);
}
