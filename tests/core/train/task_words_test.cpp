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

std::shared_ptr<const Tokenizer> taskTokenizer()
{
    const test::TempDir folder;
    const auto loaded = Tokenizer::load(folder.write("tokenizer.json", taskTokenizerJson()));
    REQUIRE(loaded.ok());
    return *loaded;
}

}  // namespace

TEST_CASE("each word of the tasks has one id")
{
    const std::vector<std::string> words = TaskSuite().words();
    CHECK(std::set<std::string>(words.begin(), words.end()).size() == words.size());
    CHECK(static_cast<std::int64_t>(words.size()) == kTaskWordCount);
    CHECK(words[kBos] == "<bos>");
    CHECK(words[kUnknown] == "<unk>");
}

TEST_CASE("digits and years have neighbouring ids in rising order")
{
    const std::vector<std::string> words = TaskSuite().words();
    for (int digit = 0; digit < 10; ++digit)
        CHECK(words[static_cast<std::size_t>(kDigits[digit])] == std::to_string(digit));
    for (int year = 10; year < 100; ++year)
        CHECK(words[static_cast<std::size_t>(kYears[year - 10])] == std::to_string(year));
}

TEST_CASE("things and landmarks stand beside their plurals")
{
    const auto check = [](WordGroup one, WordGroup many) {
        REQUIRE(wordsOf(one).count == wordsOf(many).count);
        for (std::int64_t at = 0; at < wordsOf(one).count; ++at) {
            const std::string_view single = kTaskWords[static_cast<std::size_t>(wordsOf(one)[at])];
            const std::string_view plural = kTaskWords[static_cast<std::size_t>(wordsOf(many)[at])];
            CHECK(plural.substr(0, 3) == single.substr(0, 3));
            CHECK(plural.back() == 's');
            CHECK(single.back() != 's');
        }
    };
    check(WordGroup::Things, WordGroup::ManyThings);
    check(WordGroup::Landmarks, WordGroup::ManyLandmarks);
}

TEST_CASE("the tasks' tokenizer gives a prompt's text the prompt's tokens")
{
    const auto tokenizer = taskTokenizer();
    CHECK(tokenizer->vocabularySize() == kTaskWordCount);
    const TaskSuite suite;
    for (int task = 0; task < kTaskCount; ++task)
        for (std::uint64_t number = 0; number < 100; ++number) {
            const TaskPrompt prompt = suite.prompt(static_cast<Task>(task), Split::Training, number);
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
        CHECK(std::count(encoded->ids.begin(), encoded->ids.end(), kUnknown) == 0);
    }
    const auto encoded = tokenizer->encode("The zebra");
    REQUIRE(encoded.ok());
    CHECK(encoded->ids.back() == kUnknown);
}
