#include "bench/gpu_benchmark.h"

#include "analyses/sweep.h"
#include "base/failure.h"
#include "base/text_format.h"
#include "base/timing.h"
#include "bench/benchmark_models.h"
#include "bench/cut_times.h"
#include "bench/product_times.h"
#include "bench/run_times.h"
#include "engine/run/engine.h"
#include "model/architectures.h"

#include <algorithm>
#include <chrono>
#include <limits>
#include <thread>

namespace hs::bench {
namespace {

constexpr int kGpuWarmUps = 3;
constexpr int kLongRounds = 3;  // of the run whose memory counts
constexpr int kCancels = 20;
constexpr double kCancelGoalMs = 50;

std::string goalNote(double value, std::optional<double> goal, const std::string& unit)
{
    return goal ? "goal: at most " + shortNumber(*goal) + " " + unit + ", " + shortNumber(value / *goal) +
                      " of it"
                : std::string();
}

void toggle(engine::Ablations& ablations, HeadId head)
{
    if (ablations.erase(head) == 0)
        ablations[head] = {};
}

/// All measurements of one model, each reported as soon as it is known.
class CaseBenchmark {
public:
    CaseBenchmark(const GpuCase& the, const GpuBenchmarkOptions& options, const DeviceSpeed& speed,
                  const Hooks& hooks, const MeasurementNews& news)
        : m_case(the), m_options(options), m_speed(speed), m_hooks(hooks), m_news(news),
          m_place{options.device, the.dtype}, m_spec(orThrow(model::readArchSpec(the.config)))
    {
    }

    void measure()
    {
        attempt(m_case.name + "_weights_gb", [this] { makeModel(); });
        if (m_model) {
            // First, before any other run has taken memory.
            if (m_case.longest)
                attempt(keyOf(m_case.longest->tokens), [this] { measureLongest(*m_case.longest); });
            for (const RunGoal& goal : m_case.runs)
                attempt(keyOf(goal.tokens), [&] { measureRuns(goal); });
            attempt(m_case.name + "_sweep_ms", [this] { measureSweep(); });
            m_model.reset();
            engine::giveBackMemory();
        }
        if (m_case.loadGbPerS && m_options.withLoading)
            attempt(m_case.name + "_load_gb_per_s", [this] { measureLoading(); });
        engine::giveBackMemory();
    }

private:
    std::string keyOf(int tokens) const { return m_case.name + "_" + std::to_string(tokens); }

    template <class Part>
    void attempt(const std::string& name, const Part& part)
    {
        try {
            part();
        } catch (...) {
            const Error error = currentError();
            if (error.code == ErrorCode::Cancelled)
                throw;
            m_news({name, std::numeric_limits<double>::quiet_NaN(), "", error.message});
        }
    }

    void makeModel()
    {
        m_model = orThrow(engine::randomModel(m_spec, 1, m_place));
        engine::giveBackMemory();
        m_news(
            {m_case.name + "_weights_gb", static_cast<double>(m_model->facts().weightBytes) / 1e9, "GB",
             engine::precisionName(m_options.device, m_model->facts().dtype, m_options.tf32) + ", random"});
    }

    engine::RunRequest requestOf(int tokens) const
    {
        engine::RunRequest request = benchmarkRequest(m_model, tokens);
        request.tf32 = m_options.tf32;
        return request;
    }

    /// Runs with one ablated head more or fewer, on an engine that remembers the previous run.
    double timeToggled(engine::Engine& engine, engine::RunRequest& request, HeadId head,
                       std::vector<engine::RunTimes>* parts = nullptr) const
    {
        m_hooks.throwIfCancelled();
        toggle(request.ablations, head);
        return milliseconds([&] {
            const engine::RunResult result = orThrow(engine.run(request, {{}, m_hooks.stop}));
            if (parts)
                parts->push_back(result.times);
        });
    }

    void measureRuns(const RunGoal& goal)
    {
        engine::RunRequest request = requestOf(goal.tokens);
        const int middle = m_spec.layers / 2;
        engine::Engine engine;
        std::vector<double> full;
        std::vector<double> rerun;
        std::vector<double> withLoss;
        std::vector<engine::RunTimes> parts;
        for (int round = -kGpuWarmUps; round < m_options.rounds; ++round) {
            m_hooks.report(round + kGpuWarmUps, m_options.rounds + kGpuWarmUps);
            const double fullMs = timeToggled(engine, request, {0, 0});
            const double rerunMs = timeToggled(engine, request, {middle, 0});
            if (round < 0)
                continue;
            full.push_back(fullMs);
            rerun.push_back(rerunMs);
        }
        // As a click in the window does it.
        request.capture.loss = true;
        for (int round = -kGpuWarmUps; round < m_options.rounds; ++round) {
            const double elapsed = timeToggled(engine, request, {middle, 0}, &parts);
            if (round >= 0)
                withLoss.push_back(elapsed);
        }
        parts.erase(parts.begin(), parts.begin() + kGpuWarmUps);
        const std::string key = keyOf(goal.tokens);
        publishTime(key + "_full", median(full), goal.fullMs, costOf(goal.tokens, 0));
        publishTime(key + "_rerun", median(rerun), goal.rerunMs, costOf(goal.tokens, middle));
        m_news({key + "_rerun_loss_ms", median(withLoss), "ms", "with the loss: " + describe(parts)});
        const CutTimes cut = timeCutCell(requestOf(goal.tokens), m_options.rounds, m_hooks);
        m_news({key + "_cut_over_ablated", cut.ratio(), "x",
                "redrawing after a cut cell in the middle layer, " + shortNumber(cut.cut) +
                    " ms, against an ablated head; goal: at most 1.1"});
        if (const std::optional<double> products = timeProducts(*m_model, goal.tokens)) {
            const double layer = 1000 * (median(full) - median(rerun)) / middle;
            m_news({key + "_products_us", *products, "us",
                    "a layer's products by themselves; a layer takes " + shortNumber(layer) + " us"});
        }
        publishBaseline(key, median(full));
    }

    void measureLongest(const MemoryGoal& goal)
    {
        engine::RunRequest request = requestOf(goal.tokens);
        const std::optional<std::uint64_t> before = engine::availableMemory(m_options.device);
        std::uint64_t least = before.value_or(0);
        engine::Engine engine;
        std::vector<double> times;
        for (int round = -1; round < kLongRounds; ++round) {
            m_hooks.report(round + 1, kLongRounds + 1);
            const double elapsed = timeToggled(engine, request, {0, 0});
            least = std::min(least, engine::availableMemory(m_options.device).value_or(least));
            if (round >= 0)
                times.push_back(elapsed);
        }
        const std::string key = keyOf(goal.tokens);
        publishTime(key + "_full", median(times), std::nullopt, costOf(goal.tokens, 0));
        if (before) {
            const double taken = static_cast<double>(*before - least) / 1e9;
            m_news({key + "_over_weights_gb", taken, "GB",
                    "device memory beside the weights; " + goalNote(taken, goal.gigabytes, "GB")});
        }
        const double slowest = slowestCancel(engine, request, median(times));
        m_news({key + "_cancel_ms", slowest, "ms",
                "the slowest of " + std::to_string(kCancels) + " cancelled runs to stop; " +
                    goalNote(slowest, kCancelGoalMs, "ms")});
    }

    /// The longest time from asking a run to stop until it has, at points spread over its length.
    double slowestCancel(engine::Engine& engine, engine::RunRequest& request, double runMs) const
    {
        using Clock = std::chrono::steady_clock;
        double slowest = 0;
        for (int i = 0; i < kCancels; ++i) {
            m_hooks.throwIfCancelled();
            toggle(request.ablations, {0, 0});
            std::stop_source stop;
            Clock::time_point asked;
            std::jthread asking([&, delay = runMs * (i + 0.5) / kCancels] {
                std::this_thread::sleep_for(std::chrono::duration<double, std::milli>(delay));
                asked = Clock::now();
                stop.request_stop();
            });
            const bool isCancelled = !engine.run(request, {{}, stop.get_token()}).ok();
            const Clock::time_point stopped = Clock::now();
            asking.join();
            if (isCancelled)
                slowest =
                    std::max(slowest, std::chrono::duration<double, std::milli>(stopped - asked).count());
        }
        return slowest;
    }

    void measureSweep()
    {
        analyses::SweepRequest request;
        request.run = requestOf(m_case.sweep.tokens);
        request.run.capture = {};
        request.run.capture.tileSide = 1;
        request.target = 1;
        engine::Engine engine;
        std::vector<double> times;
        for (int round = -1; round < m_case.sweep.rounds; ++round) {
            m_hooks.throwIfCancelled();
            m_hooks.report(round + 1, m_case.sweep.rounds + 1);
            const double elapsed =
                milliseconds([&] { orThrow(analyses::sweep(engine, request, {{}, m_hooks.stop})); });
            if (round >= 0)
                times.push_back(elapsed);
        }
        publishTime(m_case.name + "_sweep", median(times), m_case.sweep.ms,
                    engine::costOfSweep(m_spec, model::byteSize(m_case.dtype), m_case.sweep.tokens),
                    formatCount(m_spec.headShape().total()) + " heads, " +
                        std::to_string(m_case.sweep.tokens) + " tokens; ");
    }

    void measureLoading()
    {
        const LoadTimes times = timeLoading(m_case.config, m_case.dtype, m_place, m_hooks);
        const double speed = static_cast<double>(times.weightBytes) / times.milliseconds / 1e6;
        m_news({m_case.name + "_load_gb_per_s", speed, "GB/s",
                formatBytes(times.weightBytes) + " from a warm page cache; goal: at least " +
                    shortNumber(*m_case.loadGbPerS)});
    }

    engine::RunCost costOf(int tokens, int first) const
    {
        return engine::costOfRun(m_spec, model::byteSize(m_case.dtype), tokens, first);
    }

    void publishTime(const std::string& key, double elapsed, std::optional<double> goal,
                     const engine::RunCost& cost, const std::string& what = {})
    {
        m_news({key + "_ms", elapsed, "ms", what + goalNote(elapsed, goal, "ms")});
        const Floor floor = floorOf(cost, m_speed, m_case.dtype);
        m_news({key + "_over_floor", elapsed / floor.milliseconds, "x",
                "floor: " + shortNumber(floor.milliseconds) + " ms, " + floor.bound});
    }

    void publishBaseline(const std::string& key, double elapsed)
    {
        const Json times = m_options.baseline.value(key, Json::object());
        const auto millisecondsUntil = [&](const char* what) { return times.value(what, 0.0); };
        const double onHost = millisecondsUntil("maps_on_host_ms");
        if (onHost > 0)
            m_news({key + "_speedup", onHost / elapsed, "x",
                    "transformers: " + shortNumber(onHost) + " ms until maps are in host memory, " +
                        shortNumber(millisecondsUntil("maps_on_device_ms")) + " on the device, " +
                        shortNumber(millisecondsUntil("sdpa_ms")) + " without maps"});
    }

    const GpuCase& m_case;
    const GpuBenchmarkOptions& m_options;
    const DeviceSpeed& m_speed;
    const Hooks& m_hooks;
    const MeasurementNews& m_news;
    engine::LoadOptions m_place;
    model::ArchSpec m_spec;
    std::shared_ptr<const engine::Model> m_model;
};

std::vector<Measurement> measureAll(const std::vector<GpuCase>& cases, const GpuBenchmarkOptions& options,
                                    const Hooks& hooks, const MeasurementNews& news)
{
    std::vector<Measurement> all;
    const MeasurementNews add = [&](const Measurement& measurement) {
        all.push_back(measurement);
        if (news)
            news(measurement);
    };
    SpeedProbe probe = options.probe;
    probe.tf32 = options.tf32;
    const DeviceSpeed speed = measureSpeed(options.device, probe, hooks);
    add({"copy_tb_per_s", speed.bytesPerSecond / 1e12, "TB/s", "read and written by a copy on the device"});
    add({"f32_tflop_per_s", speed.f32PerSecond / 1e12, "TF/s",
         "a large product of " + engine::precisionName(options.device, model::DType::F32, options.tf32) +
             " factors"});
    add({"bf16_tflop_per_s", speed.bf16PerSecond / 1e12, "TF/s", "a large product of bfloat16 factors"});
    for (const GpuCase& one : cases)
        CaseBenchmark(one, options, speed, hooks, add).measure();
    return all;
}

}  // namespace

std::vector<GpuCase> gpuCases()
{
    GpuCase gpt2{"gpt2", gpt2SmallConfig(), model::DType::F32};
    gpt2.runs = {{64, 1.0, 0.6}, {1024, 7, 4}};
    gpt2.sweep = {16, 5, 40};
    GpuCase olmo{"olmo7b", olmo7bConfig(), model::DType::BF16};
    olmo.runs = {{128, 5.5, 3}, {512, {}, {}}, {1024, 32, 17}};
    olmo.longest = MemoryGoal{4096, 1.5};
    olmo.sweep = {32, 1, 1500};
    olmo.loadGbPerS = 2;
    return {gpt2, olmo};
}

Result<std::vector<Measurement>> benchmarkGpu(const std::vector<GpuCase>& cases,
                                              const GpuBenchmarkOptions& options, const Hooks& hooks,
                                              const MeasurementNews& news)
{
    return guarded([&] { return measureAll(cases, options, hooks, news); });
}

}  // namespace hs::bench
