#include "train/pace.h"

#include "support/catch.h"
#include "train/run_clock.h"

using namespace hs;

namespace {

train::Options sparse()
{
    train::Options options;
    options.sparsity.emplace();
    return options;
}

const train::RunCosts kCosts = {.step = 0.1,
                                .look = 2,
                                .checkpoint = 0.5,
                                .checkpointEvery = 60,
                                .round = 5,
                                .roundSteps = 700,
                                .end = 10};

}  // namespace

TEST_CASE("what is left open fits the length of the run")
{
    const train::Options brief = train::fitted(sparse(), {}, 300);
    CHECK(brief.steps == 300);
    CHECK(brief.warmUp == 30);
    CHECK(brief.measureEvery == 10);
    CHECK(brief.averaging == Approx(0.9));
    CHECK(brief.sparsity->memory == Approx(0.8));
    CHECK(brief.sparsity->speed == Approx(0.03));
    const train::Options lengthy = train::fitted(sparse(), {}, 60'000);
    CHECK(lengthy.warmUp == 200);
    CHECK(lengthy.measureEvery == 500);
    CHECK(lengthy.averaging == Approx(0.999));
    CHECK(lengthy.sparsity->memory == Approx(0.98));
    CHECK(lengthy.sparsity->speed == Approx(0.002));
}

TEST_CASE("in a run of any length the price can travel, looks are many and the start is forgotten")
{
    for (std::int64_t steps = 100; steps < 1'000'000; steps += steps / 7) {
        CAPTURE(steps);
        const train::Options options = train::fitted(sparse(), {}, steps);
        const auto length = static_cast<double>(steps);
        CHECK(options.warmUp <= steps / 10);
        CHECK(steps / options.measureEvery >= 10);
        CHECK(1 / (1 - options.averaging) < 0.11 * length);
        CHECK(1 / (1 - options.sparsity->memory) < 0.06 * length);
        CHECK(options.sparsity->speed * length > 2.9);  // e-folds
    }
}

TEST_CASE("what is given stays as it is")
{
    train::Pace given;
    given.warmUp = 7;
    given.measureEvery = 13;
    given.averaging = 0;
    given.memory = 0;
    given.speed = 0.5;
    const train::Options options = train::fitted(sparse(), given, 1000);
    CHECK(options.warmUp == 7);
    CHECK(options.measureEvery == 13);
    CHECK(options.averaging == 0);
    CHECK(options.sparsity->memory == 0);
    CHECK(options.sparsity->speed == 0.5);
}

TEST_CASE("time left counts steps, looks, checkpoints, rounds of data and the end")
{
    train::Options options = sparse();
    options.steps = 1000;
    options.measureEvery = 300;
    // 1,000 steps, looks at 300, 600, 900 and 1,000, one more round at 700: 113 s, with two checkpoints
    CHECK(train::secondsLeft(options, 0, kCosts) == Approx(113 + 113.0 / 60 * 0.5 + 10));
    CHECK(train::secondsLeft(options, 1000, kCosts) == 10);
    for (std::int64_t made = 1; made <= 1000; ++made)
        REQUIRE(train::secondsLeft(options, made, kCosts) < train::secondsLeft(options, made - 1, kCosts));
}

TEST_CASE("a limit of time gets the most steps that end within it")
{
    for (const double seconds : {30.0, 300.0, 1500.0, 86'400.0}) {
        CAPTURE(seconds);
        const std::int64_t steps = train::stepsWithin(seconds, sparse(), {}, 28, kCosts);
        CHECK(train::secondsLeft(train::fitted(sparse(), {}, steps), 28, kCosts) <= seconds);
        CHECK(train::secondsLeft(train::fitted(sparse(), {}, steps + 1), 28, kCosts) > seconds);
    }
    CHECK(train::stepsWithin(-5, sparse(), {}, 28, kCosts) == 29);
    CHECK(train::stepsWithin(0, sparse(), {}, 28, kCosts) == 29);
}

TEST_CASE("a look does not make the steps around it slow")
{
    train::RunClock clock;
    clock.addApart(&train::RunCosts::look, 1000);
    clock.countStep();
    clock.endSpan();
    CHECK(clock.costs().look == 1000);
    CHECK(clock.costs().step < 0);  // those seconds were never there
}
