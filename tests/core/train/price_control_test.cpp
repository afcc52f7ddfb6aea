#include "train/price_control.h"

#include "support/catch.h"

#include <cmath>

using namespace hs;

namespace {

train::SparsityOptions prompt()
{
    train::SparsityOptions options;
    options.memory = 0;  // only the last step counts
    options.speed = 0.1;
    return options;
}

}  // namespace

TEST_CASE("the price grows while the constraint holds and shrinks while it is broken")
{
    train::PriceControl control(prompt());
    control.step({train::PriceControl::kGoal - 0.5});
    CHECK(control.price() == Approx(std::exp(0.1 * 0.5)));
    control.step({train::PriceControl::kGoal});
    CHECK(control.price() == Approx(std::exp(0.05)));
    control.step({train::PriceControl::kGoal + 0.25});
    CHECK(control.price() == Approx(std::exp(0.05 - 0.025)));
}

TEST_CASE("one step changes the price by no more than its speed")
{
    train::PriceControl control(prompt());
    control.step({1e9});
    CHECK(control.price() == Approx(std::exp(-0.1)));
}

TEST_CASE("the worst group sets the price, or the mean where that is asked for")
{
    train::SparsityOptions options = prompt();
    CHECK(train::joined(options, {0.2, 1.4, NAN}) == 1.4);
    options.constrainsWorst = false;
    CHECK(train::joined(options, {0.2, 1.4, NAN}) == Approx(0.8));
}

TEST_CASE("a group that a batch lacks keeps its average")
{
    train::PriceControl control(prompt());
    control.step({2.0, 0.1});
    control.step({NAN, 0.1});
    CHECK(control.state().averages.at(0) == 2.0);
}

TEST_CASE("the held-out part says what the training rows' strain stands for")
{
    train::PriceControl control(prompt());
    control.step({2.0});
    control.measured(0.5);
    const double before = control.price();
    control.step({2.0});  // stands for 0.5 now: there is slack
    CHECK(control.price() > before);
    control.step({4 * train::PriceControl::kGoal});  // stands for the goal: none
    const double atAim = control.price();
    control.step({4 * train::PriceControl::kGoal});
    CHECK(control.price() == Approx(atAim));
}

TEST_CASE("a look settles the account: the price is what the held-out strain would have made it")
{
    train::PriceControl control(prompt());
    control.step({1.0});
    control.measured(train::PriceControl::kGoal - 0.3);
    const double before = control.price();
    for (const double misleading : {0.1, 2.0, 0.3})
        control.step({misleading});
    control.measured(train::PriceControl::kGoal +
                     0.5);  // a slack of 0.3 at the first look, of -0.5 now: -0.1 at each step
    CHECK(control.price() == Approx(before * std::exp(0.1 * 3 * -0.1)));
}

TEST_CASE("the price stays where all cells are worth a tenth of the tolerance, or where it began")
{
    train::SparsityOptions options = prompt();
    options.tolerance = 0.05;
    train::PriceControl control(options);
    for (int step = 0; step < 500; ++step)
        control.step({3.0});
    CHECK(control.price() == Approx(0.005));
    CHECK(control.price() == control.leastPrice());
    options.firstPrice = 0.001;
    CHECK(train::PriceControl(options).leastPrice() == 0.001);
}

TEST_CASE("a price goes on from its state")
{
    train::PriceControl whole(prompt());
    whole.step({0.3});
    whole.measured(0.9);
    whole.step({0.4});
    train::PriceControl resumed(prompt(), whole.state());
    for (train::PriceControl* const control : {&whole, &resumed}) {
        control->step({0.7});
        control->measured(0.8);
    }
    CHECK(whole.price() == resumed.price());
}

TEST_CASE("the learning rate rises, then falls to its last share")
{
    train::Options options;
    options.steps = 1000;
    options.warmUp = 10;
    options.rate = 2;
    options.lastRate = 0.1;
    CHECK(train::rateAt(options, 0) == Approx(0.2));
    CHECK(train::rateAt(options, 9) == Approx(2));
    CHECK(train::rateAt(options, 505) == Approx(1.1));
    CHECK(train::rateAt(options, 1000) == Approx(0.2));
    for (std::int64_t step = 11; step <= 1000; ++step)
        REQUIRE(train::rateAt(options, step) <= train::rateAt(options, step - 1));
}

TEST_CASE("the gate's bias falls to nothing and stays there")
{
    train::SparsityOptions options;
    options.firstBias = 4;
    options.biasSteps = 100;
    CHECK(train::biasAt(options, 0) == 4);
    CHECK(train::biasAt(options, 50) == 2);
    CHECK(train::biasAt(options, 100) == 0);
    CHECK(train::biasAt(options, 5000) == 0);
}
