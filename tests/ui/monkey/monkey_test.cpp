#include "support/catch.h"
#include "ui/monkey/monkey.h"

#include <QByteArray>

#include <cstdio>

using namespace hs::test;

namespace {

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
    const std::string problem = monkey.act(actions);
    if (!problem.empty())
        FAIL(problem);
    std::printf("figure: monkey actions %d seed %u worst %.0f ms (%s)\n", actions, seed,
                monkey.longest().milliseconds, monkey.longest().what.c_str());
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

TEST_CASE("whatever is done to the window, it shows its document and comes back by undo")
{
    letLoose(3, 500);
}

TEST_CASE("the same for 20,000 actions", "[.][long]")
{
    letLoose(static_cast<unsigned>(GENERATE(1, 2, 3)), 20'000);
}
