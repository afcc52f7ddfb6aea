#include "base/failure.h"
#include "base/text_format.h"
#include "base/timing.h"
#include "bench/device_speed.h"
#include "bench/training_benchmark.h"
#include "stats/head_summary.h"
#include "train/sampler.h"

#include <algorithm>

namespace hs::bench {
namespace {

constexpr int kMostSamplings = 3;  // each takes seconds

SpeedProbe samplingProbe(engine::Device device)
{
    SpeedProbe probe;
    if (!device.isCuda()) {
        probe.copyBytes = 200'000'000;
        probe.side = 1024;
        probe.rounds = 3;
        probe.withBf16 = false;  // not computed in there, and not every processor can
    }
    return probe;
}

/// Weights are read for each token, cached keys and values for each document and token.
engine::RunCost costOfSampling(const model::ArchSpec& spec, double bytesPerNumber, std::int64_t documents,
                               std::int64_t tokens)
{
    const engine::RunCost run =
        engine::costOfRun(spec, static_cast<std::uint64_t>(bytesPerNumber), tokens, 0);
    const auto count = static_cast<double>(documents);
    const auto steps = static_cast<double>(tokens);
    const double unembedding = 2.0 * static_cast<double>(spec.vocabulary) * spec.hidden;
    double cells = 0;
    for (const int window : spec.windows)
        cells += static_cast<double>(stats::visibleCells(tokens, window));
    return {steps * run.bytes + count * cells * 2 * spec.kvWidth() * bytesPerNumber,
            count * (run.flop + (steps - 1) * unembedding)};
}

std::vector<Measurement> measureSampling(const TrainingBenchmark& options, const Hooks& hooks)
{
    const engine::Device device = options.model->facts().device;
    const model::ArchSpec& spec = options.model->spec();
    const DeviceSpeed speed = measureSpeed(device, samplingProbe(device), hooks);
    const train::Sampler sampler(options.model, options.computedIn);
    train::SampleRange range;
    range.count = sampler.documentsAtOnce(options.length);
    range.length = options.length;
    range.firstToken = spec.bosToken.value_or(0);
    std::vector<double> times;
    for (int round = -1; round < std::min(options.rounds, kMostSamplings); ++round) {
        range.seed = static_cast<std::uint64_t>(round + 2);
        const double elapsed = milliseconds([&] { sampler.draw(range, hooks); });
        if (round >= 0)  // the first chooses kernels and takes memory
            times.push_back(elapsed);
    }
    const double elapsed = median(times);
    const double tokens = static_cast<double>(range.count) * range.length;
    const Floor floor = floorOf(costOfSampling(spec, static_cast<double>(model::byteSize(options.computedIn)),
                                               range.count, range.length - 1),
                                speed, options.computedIn);
    return {
        {"sampling_tokens_per_s", tokens / elapsed * 1e3, "1/s",
         formatCount(range.count) + " documents of " + formatCount(range.length) + " tokens side by side"},
        {"sampling_over_floor", elapsed / floor.milliseconds, "x",
         "floor: " + shortNumber(floor.milliseconds) + " ms, " + floor.bound}};
}

}  // namespace

Result<std::vector<Measurement>> benchmarkSampling(const TrainingBenchmark& options, const Hooks& hooks)
{
    return guarded([&] { return measureSampling(options, hooks); });
}

}  // namespace hs::bench
