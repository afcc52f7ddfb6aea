#include "train/pace.h"
#include "train/price_control.h"

#include "support/catch.h"

#include <cmath>
#include <functional>
#include <numbers>
#include <random>
#include <vector>

using namespace hs;

namespace {

/// A training without a model. The strain follows the price with a delay; the rate's noise adds to it and
/// decays with the rate; training rows show a multiple of it, which may change on the way.
struct Plant {
    std::int64_t steps = 10'000;
    double rateNoise = 0.2;  // strain that the highest rate costs
    std::function<double(double)> trainingRatio = [](double) { return 1.2; };  // of the run's share made
    double learning = 0;  // how fast a model learns to do with less at the same price
};

struct PlantRun {
    std::vector<double> looks;  // strain of the held-out part
    std::vector<double> prices;
};

PlantRun runPlant(const Plant& plant)
{
    train::Options options;
    options.sparsity.emplace();
    options.sparsity->tolerance = 0.05;
    options = train::fitted(options, {}, plant.steps);
    train::PriceControl control(*options.sparsity);
    std::mt19937 random(1);
    std::normal_distribution<double> normal;
    PlantRun run;
    const double delay = static_cast<double>(plant.steps) / 50;
    double pressed = 0;
    double averaged = 0;
    for (std::int64_t step = 0; step < plant.steps; ++step) {
        const double share = static_cast<double>(step) / static_cast<double>(plant.steps);
        const double noise = plant.rateNoise * 0.5 * (1 + std::cos(std::numbers::pi * share));
        const double learnt = std::pow(1 + 50 * share, -plant.learning);
        pressed += (0.5 * learnt * std::log1p(control.price() / 0.1) - pressed) / delay;
        averaged += (1 - options.averaging) * (pressed + noise - averaged);
        const double scatter = std::exp(0.1 * normal(random));
        control.step({(pressed + 1.3 * noise) * plant.trainingRatio(share) * scatter});
        run.prices.push_back(control.price());
        if ((step + 1) % options.measureEvery == 0) {
            run.looks.push_back(averaged * std::exp(0.005 * normal(random)));
            control.measured(run.looks.back());
        }
    }
    return run;
}

void requireSettled(const PlantRun& run)
{
    for (std::size_t look = run.looks.size() * 2 / 3; look < run.looks.size(); ++look) {
        INFO("look " << look << " of " << run.looks.size());
        CHECK(run.looks[look] < 1);
        CHECK(run.looks[look] > 0.9);
    }
}

}  // namespace

TEST_CASE("the price settles where the held-out part is below the limit and above nine tenths of it")
{
    const std::int64_t steps = GENERATE(3'000, 14'500, 60'000);
    CAPTURE(steps);
    requireSettled(runPlant({.steps = steps}));
}

TEST_CASE("training rows that are learnt by heart do not carry the price over the limit")
{
    SECTION("slowly")
    {
        requireSettled(runPlant({.trainingRatio = [](double share) { return 1.2 * std::exp(-3 * share); }}));
    }
    SECTION("by a step at each new pass over the data")
    {
        requireSettled(runPlant(
            {.trainingRatio = [](double share) { return 1.2 * std::pow(0.75, std::floor(5 * share)); }}));
    }
}

TEST_CASE("a price that has to rise to the end, since the model learns to do with less, leaves little of the "
          "limit unused")
{
    const double learning = GENERATE(0.2, 0.4);
    CAPTURE(learning);
    const PlantRun run = runPlant({.learning = learning});
    CHECK(run.prices.back() > 1.5 * run.prices[run.prices.size() / 2]);
    for (std::size_t look = run.looks.size() * 4 / 5; look < run.looks.size(); ++look) {
        CHECK(run.looks[look] > 0.9);
        CHECK(run.looks[look] < 1);
    }
}

TEST_CASE("a price that the rate's noise pressed to nothing comes back when the noise has decayed")
{
    const PlantRun run = runPlant({.rateNoise = 1.6});
    CHECK(run.prices[run.prices.size() / 4] == Approx(0.005));  // the least
    CHECK(run.looks[run.looks.size() / 4] > 1);
    CHECK(run.looks.back() > 0.9);
    CHECK(run.looks.back() < 1);
}
