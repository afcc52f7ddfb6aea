#include "bench/benchmark.h"

#include "analyses/set_study.h"
#include "analyses/sweep.h"
#include "base/failure.h"
#include "base/system_memory.h"
#include "base/text_format.h"
#include "base/timing.h"
#include "bench/adapter_times.h"
#include "bench/benchmark_models.h"
#include "bench/cut_times.h"
#include "bench/products_alone_tensors.h"
#include "engine/run/engine.h"
#include "engine/run/prompt_batch.h"
#include "model/architectures.h"

#include <cmath>

namespace hs::bench {
namespace {

std::vector<Measurement> measureRuns(const Options& options, const Hooks& hooks)
{
    const model::ArchSpec spec = orThrow(model::readArchSpec(gpt2SmallConfig()));
    const std::shared_ptr<const engine::Model> model = orThrow(engine::randomModel(spec, 1, options.place));
    engine::RunRequest plain = benchmarkRequest(model, options.tokens);
    plain.capture.fullMaps = true;
    plain.tf32 = options.tf32;
    engine::RunRequest ablated = plain;
    ablated.ablations[{options.ablatedLayer, 3}] = {};
    engine::RunRequest withLoss = plain;
    withLoss.capture.loss = true;
    const ProductsAlone products(*model, options.tokens, options.tf32);

    engine::Engine warm;  // keeps the plain run, so that the ablated one starts in its layer
    std::vector<double> full, rerun, alone, loss;
    for (int round = -1; round < options.rounds; ++round) {
        hooks.throwIfCancelled();
        hooks.report(round + 1, options.rounds + 1);
        const double aloneMs = milliseconds([&] { products.run(); });
        engine::Engine fresh;
        const double fullMs = milliseconds([&] { orThrow(fresh.run(plain)); });
        orThrow(warm.run(plain));
        const double rerunMs = milliseconds([&] { orThrow(warm.run(ablated)); });
        engine::Engine third;
        const double lossMs = milliseconds([&] { orThrow(third.run(withLoss)); });
        if (round < 0)
            continue;  // the first round warms up caches and threads
        alone.push_back(aloneMs);
        full.push_back(fullMs);
        rerun.push_back(rerunMs);
        loss.push_back(lossMs);
    }
    engine::RunRequest pooled = plain;
    pooled.capture.fullMaps = false;
    const CutTimes cut = timeCutCell(pooled, options.rounds, hooks);
    const AdapterTimes adapter = timeAdapterStep(pooled, options.rounds, hooks);
    const std::string shape = "12 x 12 x 768, " + std::to_string(options.tokens) + " tokens";
    const std::string from = "after ablating in layer " + std::to_string(options.ablatedLayer) + " of 12";
    return {
        {"products_ms", median(alone), "ms", "matrix products of a full run alone, " + shape},
        {"forward_ms", median(full), "ms", "full run with all maps, statistics, tiles and predictions"},
        {"forward_over_products", median(full) / median(alone), "x", "goal on the CPU: at most 1.3"},
        {"rerun_ms", median(rerun), "ms", from},
        {"rerun_over_forward", median(rerun) / median(full), "x", "goal: at most 0.35"},
        {"cut_ms", cut.cut, "ms", "after cutting a cell in the middle layer, pooled as in the window"},
        {"cut_over_ablated", cut.ratio(), "x", "against ablating that head; goal: at most 1.1"},
        {"adapter_step_ms", adapter.step, "ms", "after turning an adapter of rank 16 on all projections"},
        {"adapter_step_over_run", adapter.ratio(), "x", "against a full run without it; goal: at most 1.3"},
        {"forward_with_loss_ms", median(loss), "ms", "the same with logits at every position"},
    };
}

/// Averages of all heads' maps over a set, and the products of as many prompts, in turn.
std::vector<Measurement> measureSet(const Options& options, const Hooks& hooks)
{
    static constexpr int kPrompts = 1000, kSetTokens = 32;
    const model::ArchSpec spec = orThrow(model::readArchSpec(gpt2SmallConfig()));
    const std::shared_ptr<const engine::Model> model = orThrow(engine::randomModel(spec, 1, options.place));
    engine::RunRequest shape = benchmarkRequest(model, kSetTokens);
    shape.tf32 = options.tf32;
    const int together = engine::promptsTogether(shape);
    const ProductsAlone products(*model, kSetTokens, options.tf32, together);
    engine::Engine engine;
    analyses::SetResult set;
    set.promptCount = kPrompts;
    analyses::SetStudy study(analyses::SetStudyKind::Maps, {{&engine, spec.headShape(), {}}}, std::move(set),
                             analyses::SetAlign::Start, std::uint64_t{1} << 30);
    products.run();  // caches and threads warm up
    double whole = 0, alone = 0;
    std::uint64_t early = 0;
    for (int index = 0; index < kPrompts; ++index) {
        hooks.throwIfCancelled();
        hooks.report(index, kPrompts);
        engine::RunRequest request = benchmarkRequest(model, kSetTokens);
        for (std::size_t at = 0; at < request.tokens.size(); ++at)
            request.tokens[at] =
                (request.tokens[at] + index * static_cast<std::int64_t>(at + 1)) % spec.vocabulary;
        request.capture.topK = 0;
        request.tf32 = options.tf32;
        whole += milliseconds([&] {
            study.add({index, {std::move(request)}, {}}, {{}, hooks.stop});
            if (index + 1 == kPrompts)
                study.finish({{}, hooks.stop});
        });
        if (index % together == 0)
            alone += milliseconds([&] { products.run(); });
        if (index == kPrompts / 10)
            early = residentMemory().value_or(0);
    }
    alone *= static_cast<double>(kPrompts) / (together * std::ceil(kPrompts / static_cast<double>(together)));
    return {{"set_ms", whole, "ms", "averages of all heads over 1,000 prompts of 32 tokens, 12 x 12 x 768"},
            {"set_products_ms", alone, "ms",
             "their matrix products alone, " + std::to_string(together) + " side by side"},
            {"set_over_products", whole / alone, "x", "goal on two cores: at most 1.4, on an H200 1.5"},
            {"set_memory_growth_mb",
             (static_cast<double>(residentMemory().value_or(0)) - static_cast<double>(early)) / 1e6, "MB",
             "resident memory at the end over that after a tenth of the prompts; goal: flat"}};
}

/// The sweep of all heads, and a full run for each of them, in turn.
std::vector<Measurement> measureSweep(analyses::SweepRequest request, const std::string& suffix,
                                      const Hooks& hooks)
{
    const HeadShape shape = request.run.model->spec().headShape();
    engine::Engine engine;
    orThrow(engine.run(request.run));  // caches and threads warm up
    const double together =
        milliseconds([&] { orThrow(analyses::sweep(engine, request, {{}, hooks.stop})); });
    const double apart = milliseconds([&] {
        for (int head = 0; head < shape.total(); ++head) {
            hooks.throwIfCancelled();
            hooks.report(head, shape.total());
            engine::RunRequest alone = request.run;
            alone.ablations[shape.at(head)] = {};
            orThrow(engine::Engine().run(alone));
        }
    });
    const std::string what = request.loss ? "" : ", without the loss";
    return {{"sweep" + suffix + "_ms", together, "ms",
             std::to_string(shape.total()) + " heads, " + std::to_string(request.run.tokens.size()) +
                 " tokens" + what},
            {"separate_runs" + suffix + "_ms", apart, "ms", "a full run for each of them" + what},
            {"sweep_speedup" + suffix, apart / together, "x", "goal on the CPU: at least 4"}};
}

std::vector<Measurement> measureSweeps(const Options& options, const Hooks& hooks)
{
    static constexpr int kTokens = 16;
    const model::ArchSpec spec = orThrow(model::readArchSpec(gpt2SmallConfig()));
    analyses::SweepRequest request;
    request.run = benchmarkRequest(orThrow(engine::randomModel(spec, 1, options.place)), kTokens);
    request.run.tf32 = options.tf32;
    request.run.capture = {};
    request.run.capture.tileSide = 1;
    request.target = 1;
    std::vector<Measurement> all = measureSweep(request, "", hooks);
    request.loss = request.run.capture.loss = false;
    for (Measurement& measurement : measureSweep(request, "_no_loss", hooks))
        all.push_back(std::move(measurement));
    return all;
}

std::vector<Measurement> measureLoading(const Options& options, const Hooks& hooks)
{
    const LoadTimes times = timeLoading(gpt2SmallConfig(), model::DType::F32, options.place, hooks);
    const TrainingStepTimes training = timeTrainingStep(gpt2SmallConfig(), model::DType::F32, options.place,
                                                        options.tokens, options.rounds, hooks);
    const auto weights = static_cast<double>(times.weightBytes);
    const double bound = 1.15 * weights + 400e6;
    return {
        {"load_gb_per_s", weights / times.milliseconds / 1e6, "GB/s",
         "safetensors to device, " + formatBytes(times.weightBytes)},
        {"load_peak_mb", static_cast<double>(times.peakBytes) / 1e6, "MB",
         "most resident memory while loading"},
        {"load_peak_bound_mb", bound / 1e6, "MB", "the most allowed: 1.15 x the weights + 400 MB"},
        {"training_step_ms", training.step, "ms",
         "to another step of a training and its run, both folders in the page cache"},
        {"training_step_over_run", training.step / training.run, "x", "against the run alone"},
        {"gguf_q4_k_gb_per_s", ggufBytesPerSecond("Q4_K") / 1e9, "GB/s",
         "of a GGUF file, unpacked to float32; goal on two cores: at least 1"},
        {"gguf_q8_0_gb_per_s", ggufBytesPerSecond("Q8_0") / 1e9, "GB/s",
         "of a GGUF file, unpacked to float32; goal on two cores: at least 1"},
    };
}

}  // namespace

Result<std::vector<Measurement>> benchmarkRuns(const Options& options, const Hooks& hooks)
{
    return guarded([&] { return measureRuns(options, hooks); });
}

Result<std::vector<Measurement>> benchmarkSweep(const Options& options, const Hooks& hooks)
{
    return guarded([&] { return measureSweeps(options, hooks); });
}

Result<std::vector<Measurement>> benchmarkLoading(const Options& options, const Hooks& hooks)
{
    return guarded([&] { return measureLoading(options, hooks); });
}

Result<std::vector<Measurement>> benchmarkSet(const Options& options, const Hooks& hooks)
{
    return guarded([&] { return measureSet(options, hooks); });
}

}  // namespace hs::bench
