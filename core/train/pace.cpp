#include "train/pace.h"

#include <algorithm>
#include <cmath>

namespace hs::train {
namespace {

/// A number of steps: one in `part` of the run.
std::int64_t shareOf(std::int64_t steps, std::int64_t part, std::int64_t least, std::int64_t most)
{
    return std::clamp(steps / part, least, most);
}

/// The memory of a moving average over about so many steps.
double memoryOver(std::int64_t steps)
{
    return 1 - 1 / static_cast<double>(steps);
}

/// e-folds that the price may move in a run, if each step took it the same way.
constexpr double kPriceTravel = 50;

// A price that moves faster than weights can follow swings; one that moves slower never arrives.
constexpr double kLeastSpeed = 0.002;
constexpr double kMostSpeed = 0.03;

constexpr std::int64_t kMostBetween30 = 500;  // steps between looks of a run that has 30

constexpr std::int64_t kMostSteps = 1'000'000'000;

}  // namespace

Options fitted(Options options, const Pace& given, std::int64_t steps)
{
    options.steps = steps;
    options.warmUp = given.warmUp.value_or(shareOf(steps, 10, 10, 200));
    options.averaging = given.averaging.value_or(memoryOver(shareOf(steps, 50, 10, 1000)));
    options.measureEvery = given.measureEvery.value_or(
        shareOf(steps, given.looks, 10, kMostBetween30 * 30 / given.looks) / 10 * 10);
    if (auto& sparsity = options.sparsity) {
        sparsity->memory = given.memory.value_or(memoryOver(shareOf(steps, 100, 5, 50)));
        sparsity->speed = given.speed.value_or(
            std::clamp(kPriceTravel / static_cast<double>(steps), kLeastSpeed, kMostSpeed));
    }
    return options;
}

double secondsLeft(const Options& options, std::int64_t made, const RunCosts& costs)
{
    const auto steps = static_cast<double>(options.steps - made);
    std::int64_t looks = options.steps / options.measureEvery - made / options.measureEvery;
    if (options.steps % options.measureEvery != 0 && made < options.steps)
        ++looks;  // after the last step
    double working = steps * costs.step + static_cast<double>(looks) * costs.look;
    if (costs.roundSteps > 0)
        working += static_cast<double>((options.steps - 1) / costs.roundSteps - made / costs.roundSteps) *
                   costs.round;
    // As often as the clock says, but not more often than there are steps.
    const double checkpoints =
        costs.checkpointEvery > 0 ? std::min(steps, working / costs.checkpointEvery) : steps;
    return working + checkpoints * costs.checkpoint + costs.end;
}

std::int64_t stepsWithin(double seconds, const Options& options, const Pace& given, std::int64_t made,
                         const RunCosts& costs)
{
    const auto fits = [&](std::int64_t steps) {
        return secondsLeft(fitted(options, given, steps), made, costs) <= seconds;
    };
    std::int64_t least = made + 1;
    std::int64_t most = least;
    while (most < kMostSteps && fits(most)) {
        least = most;
        most *= 2;
    }
    while (most - least > 1) {
        const std::int64_t middle = least + (most - least) / 2;
        (fits(middle) ? least : most) = middle;
    }
    return least;
}

}  // namespace hs::train
