#include "train/optimizer_tensors.h"

#include "core/train/fused_targets.h"

#include <cmath>

using namespace hs;

namespace {

constexpr std::int64_t kParameters = 1000;
constexpr std::int64_t kMatrices = 600;

/// AdamW as its paper writes it, in double.
struct PlainAdam {
    at::Tensor weights;
    at::Tensor mean = at::zeros({kParameters}, at::kDouble);
    at::Tensor variance = at::zeros({kParameters}, at::kDouble);
    at::Tensor average;

    explicit PlainAdam(const at::Tensor& start)
        : weights(start.to(at::kCPU, at::kDouble, false, true)), average(weights.clone())
    {
    }

    void step(at::Tensor gradient, const train::Options& options, std::int64_t number)
    {
        gradient = gradient.to(at::kCPU, at::kDouble);
        gradient = gradient * std::min(1.0, options.clip / (gradient.norm().item<double>() + 1e-6));
        mean = mean * options.beta1 + gradient * (1 - options.beta1);
        variance = variance * options.beta2 + gradient.square() * (1 - options.beta2);
        const double count = static_cast<double>(number + 1);
        const double rate = rateAt(options, number);
        weights.narrow(0, 0, kMatrices).mul_(1 - rate * options.decay);
        weights -= rate * (mean / (1 - std::pow(options.beta1, count))) /
                   ((variance / (1 - std::pow(options.beta2, count))).sqrt() + 1e-8);
        const double kept = std::min(options.averaging, (count + 1) / (count + 10));
        average = average * kept + weights * (1 - kept);
    }
};

}  // namespace

TEST_CASE("one pass over all vectors is AdamW with clipping, decay of matrices and an average")
{
    at::manual_seed(31);
    train::Options options;
    options.warmUp = 0;
    options.rate = 0.01;
    options.decay = 0.3;
    for (const FusedTarget& target : fusedTargets())
        for (const double length : {0.01, 10.0}) {  // of the gradient: below and above the clip
            INFO(target.device << " in " << target.type << ", length " << length);
            const at::Tensor start = at::randn({kParameters}).to(target.device);
            train::TrainingVectors vectors = train::startingVectors(start.clone(), at::kFloat);
            train::StepScalars scalars(target.device);
            PlainAdam plain(start);
            for (std::int64_t step = 0; step < 20; ++step) {
                const at::Tensor gradient =
                    randomOn(target, {kParameters}) * (length / std::sqrt(kParameters));
                scalars.set(options, step, 0);
                const at::Tensor norm = descend(vectors, gradient, kMatrices, options, scalars);
                plain.step(gradient, options, step);
                CHECK(norm.item<double>() ==
                      Approx(gradient.to(at::kDouble).norm().item<double>()).epsilon(1e-3));
            }
            CHECK(distance(vectors.weights, plain.weights) < 1e-5);
            CHECK(distance(vectors.average, plain.average) < 1e-5);
            CHECK(distance(vectors.mean, plain.mean) < 1e-4);
            CHECK(distance(vectors.deviation, plain.variance.sqrt()) < 1e-4);
        }
}

TEST_CASE("gradients and moments in bfloat16 are AdamW, too, to their precision")
{
    at::manual_seed(32);
    train::Options options;
    options.warmUp = 0;
    options.rate = 0.01;
    const at::Tensor start = at::randn({kParameters});
    train::TrainingVectors vectors = train::startingVectors(start.clone(), at::kBFloat16);
    CHECK(vectors.mean.scalar_type() == at::kBFloat16);
    CHECK(vectors.weights.scalar_type() == at::kFloat);
    train::StepScalars scalars(at::kCPU);
    PlainAdam plain(start);
    const at::Tensor direction = at::randn({kParameters});
    for (std::int64_t step = 0; step < 200; ++step) {
        const at::Tensor gradient = (direction + at::randn({kParameters})).mul_(0.01).to(at::kBFloat16);
        scalars.set(options, step, 0);
        descend(vectors, gradient, kMatrices, options, scalars);
        plain.step(gradient, options, step);
    }
    CHECK(distance(vectors.mean, plain.mean) < 0.02);
    CHECK(distance(vectors.deviation, plain.variance.sqrt()) < 0.02);
    CHECK(distance(vectors.weights - start, plain.weights - start.to(at::kDouble)) < 0.01);
}

TEST_CASE("narrow moments follow changes that are smaller than their steps")
{
    // The gradient's size falls by a tenth: the deviation's change of each step, 0.2 % and ever less, is below
    // half a step of bfloat16 (0.2 to 0.4 %), so that rounding to the nearest would never let it begin.
    train::Options options;
    options.clip = 1e9;
    train::StepScalars scalars(at::kCPU);
    train::TrainingVectors vectors = train::startingVectors(at::zeros({20000}), at::kBFloat16);
    vectors.deviation.fill_(1.9921875);  // where steps are finest, and half of one is 0.2 %
    vectors.mean.fill_(1.9921875);
    const double wanted = 1.9921875 * 0.9;
    for (std::int64_t step = 0; step < 400; ++step) {
        scalars.set(options, step, 0);
        descend(vectors, at::full({20000}, wanted), 0, options, scalars);
    }
    CHECK(vectors.deviation.to(at::kDouble).mean().item<double>() == Approx(wanted).epsilon(2e-3));
    CHECK(vectors.mean.to(at::kDouble).mean().item<double>() == Approx(wanted).epsilon(2e-3));
}

TEST_CASE("narrow moments are rounded the same way by the same seed and step")
{
    train::Options options;
    const auto run = [&](std::uint64_t seed) {
        options.seed = seed;
        at::manual_seed(33);
        train::StepScalars scalars(at::kCPU);
        train::TrainingVectors vectors = train::startingVectors(at::zeros({kParameters}), at::kBFloat16);
        for (std::int64_t step = 0; step < 3; ++step) {
            scalars.set(options, step, 0);
            descend(vectors, at::randn({kParameters}), 0, options, scalars);
        }
        return vectors.mean;
    };
    CHECK(at::equal(run(1), run(1)));
    CHECK_FALSE(at::equal(run(1), run(2)));
}
