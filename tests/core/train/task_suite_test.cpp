#include "core/train/task_oracle.h"
#include "support/catch.h"
#include "train/task_suite.h"
#include "train/task_words.h"

#include <set>
#include <unordered_set>

using namespace hs;

namespace {

const train::TaskSuite kSuite;

std::vector<train::Task> allTasks()
{
    std::vector<train::Task> tasks;
    for (int task = 0; task < train::kTaskCount; ++task)
        tasks.push_back(static_cast<train::Task>(task));
    return tasks;
}

std::string keyOf(std::span<const std::int64_t> words)
{
    std::string key;
    for (const std::int64_t word : words) {
        key += static_cast<char>(word & 0xff);
        key += static_cast<char>(word >> 8);
    }
    return key;
}

/// What held-out prompts ask: their words up to the last answer.
std::unordered_set<std::string> heldOutQuestions(train::Task task, std::uint64_t count)
{
    std::unordered_set<std::string> questions;
    for (std::uint64_t number = 0; number < count; ++number) {
        const train::TaskPrompt prompt = kSuite.prompt(task, train::Split::HeldOut, number);
        questions.insert(keyOf(prompt.beginning(prompt.answers.back())));
    }
    return questions;
}

bool asksAny(const train::TaskPrompt& prompt, const std::unordered_set<std::string>& questions)
{
    for (const train::TaskAnswer& answer : prompt.answers) {
        const auto beginning = prompt.beginning(answer);
        for (std::size_t from = 0; from < beginning.size(); ++from)
            if (questions.contains(keyOf(beginning.subspan(from))))
                return true;
    }
    return false;
}

void checkAnswers(const train::TaskPrompt& prompt)
{
    const std::vector<std::string> words = kSuite.words();
    for (const train::TaskAnswer& answer : prompt.answers) {
        std::set<std::string> accepted;
        for (std::int64_t id = answer.first; id <= answer.last; ++id)
            accepted.insert(words[static_cast<std::size_t>(id)]);
        const std::string beginning = kSuite.text(prompt.beginning(answer));
        CAPTURE(beginning);
        REQUIRE(accepted == test::rightAnswers(beginning));
        const std::int64_t written = prompt.tokens[static_cast<std::size_t>(answer.position)];
        REQUIRE((written >= answer.first && written <= answer.last));
    }
}

}  // namespace

TEST_CASE("answers of task prompts are right by reading the text")
{
    for (const train::Task task : allTasks())
        for (const train::Split split : {train::Split::Training, train::Split::HeldOut})
            for (std::uint64_t number = 0; number < 1000; ++number)
                checkAnswers(kSuite.prompt(task, split, number));
}

TEST_CASE("task prompts start with <bos> and are short")
{
    std::size_t longest = 0;
    for (const train::Task task : allTasks())
        for (std::uint64_t number = 0; number < 2000; ++number) {
            const train::TaskPrompt prompt = kSuite.prompt(task, train::Split::Training, number);
            REQUIRE(prompt.task == task);
            REQUIRE(prompt.tokens.front() == train::kBos);
            REQUIRE(std::count(prompt.tokens.begin(), prompt.tokens.end(), train::kBos) == 1);
            REQUIRE_FALSE(prompt.answers.empty());
            longest = std::max(longest, prompt.tokens.size());
        }
    CHECK(longest == static_cast<std::size_t>(train::kLongestPrompt));
}

TEST_CASE("a task prompt follows from its number")
{
    for (const train::Task task : allTasks()) {
        const train::TaskPrompt prompt = kSuite.prompt(task, train::Split::Training, 7);
        CHECK(prompt.tokens == train::TaskSuite().prompt(task, train::Split::Training, 7).tokens);
        CHECK(prompt.answers == train::TaskSuite().prompt(task, train::Split::Training, 7).answers);
        CHECK(prompt.tokens != kSuite.prompt(task, train::Split::Training, 8).tokens);
    }
    // The same with every compiler and library: a trained model depends on the prompts' numbers.
    CHECK(kSuite.text(kSuite.prompt(train::Task::IndirectObject, train::Split::Training, 0).tokens) ==
          "When Kate and John went to the office , John gave the pen to Kate .");
    CHECK(kSuite.text(kSuite.prompt(train::Task::Addition, train::Split::HeldOut, 0).tokens) ==
          "8 5 + 9 1 = 1 7 6 .");
}

TEST_CASE("no training prompt asks what a held-out prompt asks")
{
    for (const train::Task task : allTasks()) {
        CAPTURE(train::taskName(task));
        const auto questions = heldOutQuestions(task, 5000);
        CHECK(questions.size() > 400);
        for (std::uint64_t number = 0; number < 20000; ++number) {
            const train::TaskPrompt prompt = kSuite.prompt(task, train::Split::Training, number);
            REQUIRE_FALSE(questions.contains(keyOf(prompt.beginning(prompt.answers.back()))));
        }
    }
}

TEST_CASE("no training text holds a held-out question anywhere inside")
{
    for (const train::Task task : allTasks()) {
        CAPTURE(train::taskName(task));
        const auto questions = heldOutQuestions(task, 8000);
        for (std::uint64_t number = 0; number < 2000; ++number)
            REQUIRE_FALSE(asksAny(kSuite.prompt(task, train::Split::Training, number), questions));
        for (std::uint64_t number = 0; number < 200; ++number)
            REQUIRE_FALSE(asksAny(kSuite.longPrompt(task, 128, number), questions));
    }
}

TEST_CASE("about a sixteenth of all prompts is held out")
{
    // There are few enough additions to count: those that never occur in training are held out.
    const auto held = heldOutQuestions(train::Task::Addition, 20000);
    CHECK(held.size() > 8100 / 16 * 0.8);
    CHECK(held.size() < 8100 / 16 * 1.2);
}

TEST_CASE("every opposite is trained in both directions, alone and after others")
{
    std::set<std::string> alone;
    std::set<std::string> after;
    const std::vector<std::string> words = kSuite.words();
    for (std::uint64_t number = 0; number < 5000; ++number) {
        const train::TaskPrompt prompt = kSuite.prompt(train::Task::Opposite, train::Split::Training, number);
        for (std::size_t at = 0; at < prompt.answers.size(); ++at) {
            const auto source = static_cast<std::size_t>(prompt.answers[at].source);
            (prompt.answers.size() == 1 ? alone : after)
                .insert(words[static_cast<std::size_t>(prompt.tokens[source])]);
        }
    }
    CHECK(alone.size() == test::oppositesByHand().size());
    CHECK(after == alone);
    for (std::uint64_t number = 0; number < 500; ++number)
        REQUIRE(kSuite.prompt(train::Task::Opposite, train::Split::HeldOut, number).answers.size() > 1);
}

TEST_CASE("neither the last noun nor its opposite gives agreement away")
{
    int same = 0;
    constexpr int kPrompts = 2000;
    for (std::uint64_t number = 0; number < kPrompts; ++number) {
        const train::TaskPrompt prompt =
            kSuite.prompt(train::Task::Agreement, train::Split::Training, number);
        const auto words = test::wordsIn(kSuite.text(prompt.beginning(prompt.answers.back())));
        same += (words[2].back() == 's') == (words.back().back() == 's');
    }
    CHECK(same > kPrompts * 0.4);
    CHECK(same < kPrompts * 0.6);
}

TEST_CASE("long task prompts fill their length with answers that are right")
{
    for (const train::Task task : allTasks())
        for (const int length : {train::kLongestPrompt, 64, 200})
            for (std::uint64_t number = 0; number < 50; ++number) {
                const train::TaskPrompt text = kSuite.longPrompt(task, length, number);
                CAPTURE(kSuite.text(text.tokens));
                REQUIRE(static_cast<int>(text.tokens.size()) == length);
                REQUIRE(text.answers.back().position > length - train::kLongestPrompt);
                REQUIRE(text.answers.back().position < length);
                if (task == train::Task::Repeat || task == train::Task::Opposite)
                    checkAnswers(text);
                for (const train::TaskAnswer& answer : text.answers) {
                    const auto written = text.tokens[static_cast<std::size_t>(answer.position)];
                    REQUIRE((written >= answer.first && written <= answer.last));
                }
            }
}
