#include "control/explorer/explorer.h"
#include "support/catch.h"
#include "ui/monkey/monkey.h"

#include <QByteArray>

#include <cstdio>

using namespace hs::test;

namespace {

constexpr double kLongestEvent = 50;  // milliseconds

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__) || !defined(NDEBUG)
constexpr bool kIsTimed = false;  // slower than what users run
#else
constexpr bool kIsTimed = true;
#endif

int chosen(const char* variable, int usual)
{
    bool isNumber = false;
    const int value = qEnvironmentVariableIntValue(variable, &isNumber);
    return isNumber ? value : usual;
}

/// HS_MONKEY_SEED and HS_MONKEY_ACTIONS repeat a failed run.
void letLoose(unsigned usualSeed, int usualActions)
{
    const auto seed = static_cast<unsigned>(chosen("HS_MONKEY_SEED", static_cast<int>(usualSeed)));
    const int actions = chosen("HS_MONKEY_ACTIONS", usualActions);
    Stage stage;
    Monkey monkey(stage, seed);
    monkey.noteLongerThan(kLongestEvent);
    const std::string problem = monkey.act(actions);
    if (!problem.empty())
        FAIL(problem);
    std::printf("figure: monkey actions %d seed %u worst %.0f ms (%s)\n", actions, seed,
                monkey.longest().milliseconds, monkey.longest().what.c_str());
    for (const TimedApplication::Longest& event : monkey.tooLong())
        UNSCOPED_INFO(event.milliseconds << " ms: " << event.what);
    CHECK((!kIsTimed || monkey.tooLong().empty()));
}

}  // namespace

TEST_CASE("a plan is the same for the same seed, and another for another")
{
    const auto storyOf = [](unsigned seed) {
        MonkeyPlan plan(seed);
        std::string story;
        for (int action = 0; action < 100; ++action)
            story += describe(plan.next()) + '\n';
        return story;
    };
    CHECK(storyOf(1) == storyOf(1));
    CHECK(storyOf(1) != storyOf(2));
}

TEST_CASE("a seed that is let loose again does the same to the window")
{
    const auto endOf = [](unsigned seed) {
        Stage stage;
        Monkey monkey(stage, seed);
        CHECK(monkey.act(150).empty());
        return stage.explorer().document();
    };
    const hs::control::Document first = endOf(8);
    CHECK((endOf(8) == first));
    CHECK((endOf(9) != first));
}

TEST_CASE("whatever is done to the window, it shows its document, comes back by undo and stays quick")
{
    letLoose(3, 500);
}

TEST_CASE("the same for 20,000 actions", "[.][long]")
{
    letLoose(static_cast<unsigned>(GENERATE(1, 2, 3)), 20'000);
}
