#include "bench/training_benchmark.h"

#include "base/failure.h"
#include "base/timing.h"
#include "bench/training_parts_tensors.h"
#include "engine/device/device_tensors.h"
#include "train/parameters_tensors.h"
#include "train/step_tensors.h"
#include "train/training_memory.h"

namespace hs::bench {
namespace {

// Steps until kernels are chosen, memory is allocated and the fused step is recorded.
constexpr int kStepWarmUps = 5;

train::Batch randomBatch(const TrainingBenchmark& options)
{
    train::Batch batch;
    batch.rows = options.rows;
    batch.length = options.length;
    batch.lengths.assign(options.rows, options.length);
    batch.groups.assign(options.rows, 0);
    std::uint64_t state = 1;
    for (int cell = 0; cell < options.rows * options.length; ++cell) {
        state = state * 6364136223846793005u + 1442695040888963407u;
        batch.tokens.push_back(static_cast<std::int64_t>(state >> 33) % options.model->spec().vocabulary);
        batch.weights.push_back((cell + 1) % options.length == 0 ? 0.0f : 1.0f);
    }
    return batch;
}

/// Steps of one kind, on a copy of the model's parameters.
class TimedSteps {
public:
    TimedSteps(const TrainingBenchmark& options, const train::Options& training, train::Operations operations)
        : m_layout(options.model->spec()), m_batch(randomBatch(options)),
          m_vectors(train::startingVectors(m_layout.pack(options.model->weights()), at::kFloat)),
          m_teacher(train::converted(options.model->weights(), engine::torchType(options.computedIn))),
          m_step({options.model->spec(), training, m_layout, engine::torchType(options.computedIn),
                  &m_teacher, 1, operations},
                 m_vectors)
    {
        for (int step = 0; step < kStepWarmUps; ++step)
            timeOne();
    }

    /// One step, up to its report on the host.
    double timeOne()
    {
        return milliseconds([this] { m_step.run(m_batch, m_count++, 1); });
    }

    /// Its parts one by one.
    std::vector<Measurement> parts(const TrainingBenchmark& options, const train::Options& training)
    {
        return measureTrainingParts(options, m_batch, m_vectors, training);
    }

private:
    train::ParameterLayout m_layout;
    train::Batch m_batch;
    train::TrainingVectors m_vectors;
    engine::ModelWeights m_teacher;
    train::TrainingStep m_step;
    std::int64_t m_count = 0;
};

std::vector<Measurement> measure(const TrainingBenchmark& options, const Hooks& hooks)
{
    train::requireOneDevice(*options.model);
    const engine::Device device = options.model->facts().device;
    train::requireTrainingMemory(options.model->spec(),
                                 {options.rows, options.length, true, options.computedIn}, device);
    const train::OwnStream ownStream(engine::torchDevice(device));
    train::Options training;
    training.rate = 1e-6;
    training.sparsity.emplace();
    TimedSteps fused(options, training, train::Operations::Fused);
    TimedSteps plain(options, training, train::Operations::Plain);
    std::vector<double> fusedTimes;
    std::vector<double> plainTimes;
    for (int round = 0; round < options.rounds; ++round) {
        hooks.throwIfCancelled();
        hooks.report(round, options.rounds);
        fusedTimes.push_back(fused.timeOne());
        plainTimes.push_back(plain.timeOne());
    }
    const double tokens = static_cast<double>(options.rows) * options.length;
    const double fusedTime = median(fusedTimes);
    const double plainTime = median(plainTimes);
    std::vector<Measurement> all = {
        {"training_step_ms", fusedTime, "ms",
         std::to_string(options.rows) + " x " + std::to_string(options.length) + " tokens, fused"},
        {"training_step_plain_ms", plainTime, "ms", "the same with torch's own operations"},
        {"training_speedup", plainTime / fusedTime, "x", "goal: 4 on a GPU"},
        {"training_tokens_per_s", tokens / fusedTime * 1e3, "1/s", "dense model's forward included"}};
    const std::vector<Measurement> parts = fused.parts(options, training);
    all.insert(all.end(), parts.begin(), parts.end());
    return all;
}

}  // namespace

Result<std::vector<Measurement>> benchmarkTraining(const TrainingBenchmark& options, const Hooks& hooks)
{
    return guarded([&] { return measure(options, hooks); });
}

}  // namespace hs::bench
