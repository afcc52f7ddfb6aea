#include "core/train/task_oracle.h"
#include "support/catch.h"
#include "train/task_suite.h"

using namespace hs;

TEST_CASE("clean and corrupted prompts differ in one word and end alike")
{
    const train::TaskSuite suite;
    for (int task = 0; task < train::kTaskCount; ++task)
        for (std::uint64_t number = 0; number < 500; ++number) {
            const train::TaskPair pair = suite.pair(static_cast<train::Task>(task), number);
            CAPTURE(pair.cleanText, pair.corruptedText);
            REQUIRE(pair.task == static_cast<train::Task>(task));
            REQUIRE(pair.clean.size() == pair.corrupted.size());
            REQUIRE(pair.clean.back() == pair.corrupted.back());
            int different = 0;
            for (std::size_t at = 0; at < pair.clean.size(); ++at)
                different += pair.clean[at] != pair.corrupted[at];
            REQUIRE(different == 1);
            REQUIRE(pair.cleanText == suite.text(pair.clean));
            REQUIRE(pair.corruptedText == suite.text(pair.corrupted));
        }
}

TEST_CASE("a pair's target answers the clean prompt, its other word the corrupted one alone")
{
    const train::TaskSuite suite;
    const std::vector<std::string> words = suite.words();
    for (int task = 0; task < train::kTaskCount; ++task)
        for (std::uint64_t number = 0; number < 500; ++number) {
            const train::TaskPair pair = suite.pair(static_cast<train::Task>(task), number);
            CAPTURE(pair.cleanText, pair.corruptedText);
            const std::string target = words[static_cast<std::size_t>(pair.target)];
            const std::string versus = words[static_cast<std::size_t>(pair.versus)];
            const auto clean = test::rightAnswers(pair.cleanText);
            const auto corrupted = test::rightAnswers(pair.corruptedText);
            REQUIRE(clean.contains(target));
            REQUIRE(corrupted.contains(versus));
            REQUIRE_FALSE(clean.contains(versus));
            if (static_cast<train::Task>(task) != train::Task::GreaterThan)
                REQUIRE_FALSE(corrupted.contains(target));
        }
}

TEST_CASE("pairs of addition are about each of the three digits")
{
    const train::TaskSuite suite;
    std::set<std::size_t> lengths;
    for (std::uint64_t number = 0; number < 200; ++number)
        lengths.insert(suite.pair(train::Task::Addition, number).clean.size());
    CHECK(lengths == std::set<std::size_t>{7, 8, 9});
}

TEST_CASE("a pair follows from its number")
{
    const train::TaskSuite suite;
    for (int task = 0; task < train::kTaskCount; ++task) {
        const train::TaskPair pair = suite.pair(static_cast<train::Task>(task), 3);
        CHECK(pair.clean == suite.pair(static_cast<train::Task>(task), 3).clean);
        CHECK(pair.versus == suite.pair(static_cast<train::Task>(task), 3).versus);
        CHECK(pair.clean != suite.pair(static_cast<train::Task>(task), 4).clean);
    }
}
