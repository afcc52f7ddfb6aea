#include "base/failure.h"
#include "base/system_memory.h"
#include "base/text_format.h"
#include "base/timing.h"
#include "bench/benchmark.h"
#include "bench/benchmark_models.h"
#include "engine/load/weights_tensors.h"
#include "engine/run/continuation.h"
#include "model/architectures.h"

#include <atomic>
#include <set>

namespace hs::bench {
namespace {

constexpr int kStepsOfRound = 8;

/// Every weight of a model once; on a processor with plain loads, which nothing is faster than.
class WeightReading {
public:
    explicit WeightReading(const engine::ModelWeights& weights)
    {
        std::set<const void*> seen;  // tied weights are read once
        const auto add = [&](const engine::ModelWeights::Table& table) {
            for (const at::Tensor& tensor : table)
                if (tensor.defined() && seen.insert(tensor.data_ptr()).second)
                    m_tensors.push_back(tensor);
        };
        add(weights.shared);
        for (const engine::ModelWeights::Table& layer : weights.layers)
            add(layer);
    }

    void run()
    {
        for (const at::Tensor& tensor : m_tensors) {
            if (!tensor.device().is_cpu()) {
                tensor.sum().item<float>();
                continue;
            }
            const auto* const words = static_cast<const std::uint32_t*>(tensor.data_ptr());
            const auto count = static_cast<std::int64_t>(tensor.nbytes() / sizeof(std::uint32_t));
            at::parallel_for(0, count, at::internal::GRAIN_SIZE, [&](std::int64_t begin, std::int64_t end) {
                std::uint32_t sum = 0;
                for (std::int64_t word = begin; word < end; ++word)
                    sum += words[word];
                m_sum += sum;
            });
        }
    }

private:
    std::vector<at::Tensor> m_tensors;
    std::atomic<std::uint32_t> m_sum = 0;  // so that the loads have a use
};

std::vector<Measurement> measureSteps(const Options& options, const Hooks& hooks)
{
    const model::ArchSpec spec = orThrow(model::readArchSpec(smolLm2Config()));
    const std::shared_ptr<const engine::Model> model = orThrow(engine::randomModel(spec, 1, options.place));
    engine::RunRequest request = benchmarkRequest(model, options.tokens);
    request.tf32 = options.tf32;
    WeightReading reading(model->weights());
    engine::Continuation continuation;
    orThrow(continuation.run(request));
    std::vector<double> steps, reads;
    for (int round = -1; round < options.rounds; ++round) {
        hooks.throwIfCancelled();
        hooks.report(round + 1, options.rounds + 1);
        const double readMs = milliseconds([&] { reading.run(); });
        const double stepMs = milliseconds([&] {
            for (int step = 0; step < kStepsOfRound; ++step)
                request.tokens.push_back(orThrow(continuation.run(request)).next.token);
        });
        if (round < 0)
            continue;  // the first round warms up caches and threads
        reads.push_back(readMs);
        steps.push_back(stepMs / kStepsOfRound);
    }
    return {
        {"weight_reading_ms", median(reads), "ms",
         "the weights of SmolLM2-135M's shape once, " + formatBytes(model->facts().weightBytes)},
        {"generated_token_ms", median(steps), "ms",
         "with all tiles and statistics, after about " + std::to_string(request.tokens.size()) + " tokens"},
        {"generated_over_reading", median(steps) / median(reads), "x", "goal on two cores: at most 1.3"}};
}

/// Tokens of a small model, whose own memory does not hide what grows.
std::vector<Measurement> measureGrowth(const Options& options, const Hooks& hooks)
{
    static constexpr int kFirst = 256;  // by then buffers and threads exist
    static constexpr int kTokens = 2000;
    const Json config = {{"model_type", "llama"},      {"num_hidden_layers", 4},
                         {"num_attention_heads", 4},   {"num_key_value_heads", 2},
                         {"hidden_size", 128},         {"intermediate_size", 256},
                         {"vocab_size", 1024},         {"max_position_embeddings", 4096},
                         {"tie_word_embeddings", true}};
    const model::ArchSpec spec = orThrow(model::readArchSpec(config));
    engine::RunRequest request = benchmarkRequest(orThrow(engine::randomModel(spec, 1, options.place)), 8);
    engine::Continuation continuation;
    double held = 0;
    double kept = 0;
    for (int step = 0; step < kFirst + kTokens; ++step) {
        hooks.throwIfCancelled();
        if (step == kFirst) {
            held = static_cast<double>(residentMemory().value_or(0));
            kept = static_cast<double>(continuation.bytes());
        }
        request.tokens.push_back(orThrow(continuation.run(request)).next.token);
    }
    kept = static_cast<double>(continuation.bytes()) - kept;
    held = static_cast<double>(residentMemory().value_or(0)) - held;
    return {{"generated_kept_kb", kept / kTokens / 1e3, "kB",
             "a token keeps of keys, values and patterns: 4 layers of 4 heads"},
            {"generated_growth_mb", (held - kept) / 1e6, "MB",
             "that 2,000 generated tokens add to the memory held besides these"}};
}

}  // namespace

Result<std::vector<Measurement>> benchmarkGeneration(const Options& options, const Hooks& hooks)
{
    return guarded([&] {
        std::vector<Measurement> all = measureSteps(options, hooks);
        for (Measurement& measurement : measureGrowth(options, hooks))
            all.push_back(std::move(measurement));
        return all;
    });
}

}  // namespace hs::bench
