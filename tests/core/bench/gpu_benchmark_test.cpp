#include "bench/gpu_benchmark.h"

#include "base/failure.h"
#include "support/catch.h"

#include <algorithm>
#include <cmath>

using namespace hs;

namespace {

bench::GpuCase tinyCase()
{
    bench::GpuCase tiny{"tiny",
                        {{"model_type", "gpt2"},
                         {"n_layer", 2},
                         {"n_head", 2},
                         {"n_embd", 8},
                         {"vocab_size", 16},
                         {"n_positions", 32}},
                        model::DType::F32};
    tiny.runs = {{8, 1.0, 0.5}};
    tiny.longest = bench::MemoryGoal{32, 1};
    tiny.sweep = {4, 1, 40};
    tiny.loadGbPerS = 2;
    return tiny;
}

bench::GpuBenchmarkOptions quickOptions()
{
    bench::GpuBenchmarkOptions options;
    options.rounds = 1;
    options.probe = {1000, 8, 1};
    return options;
}

const bench::Measurement* find(const std::vector<bench::Measurement>& all, const std::string& name)
{
    const auto at = std::ranges::find(all, name, &bench::Measurement::name);
    return at == all.end() ? nullptr : &*at;
}

}  // namespace

TEST_CASE("the benchmark of a GPU times every part of a case beside its goal, its floor and transformers",
          "[bench]")
{
    bench::GpuBenchmarkOptions options = quickOptions();
    options.baseline = {{"tiny_8", {{"maps_on_host_ms", 1e6}, {"maps_on_device_ms", 2}, {"sdpa_ms", 1}}}};
    std::size_t told = 0;
    const auto all = orThrow(
        bench::benchmarkGpu({tinyCase()}, options, {}, [&told](const bench::Measurement&) { ++told; }));
    CHECK(told == all.size());
    for (const char* name :
         {"copy_tb_per_s", "f32_tflop_per_s", "bf16_tflop_per_s", "tiny_weights_gb", "tiny_32_full_ms",
          "tiny_8_full_ms", "tiny_8_full_over_floor", "tiny_8_rerun_ms", "tiny_8_rerun_over_floor",
          "tiny_8_speedup", "tiny_sweep_ms", "tiny_sweep_over_floor", "tiny_load_gb_per_s"}) {
        INFO(name);
        const bench::Measurement* const found = find(all, name);
        REQUIRE(found);
        CHECK(found->value > 0);
    }
    CHECK(find(all, "tiny_8_full_ms")->note.find("goal: at most 1 ms") == 0);
    CHECK(find(all, "tiny_8_full_over_floor")->note.find("floor: ") == 0);
    CHECK(find(all, "tiny_8_speedup")->note.find("transformers: 1000000 ms") == 0);
}

TEST_CASE("a part of the benchmark that fails says why, and the others go on", "[bench]")
{
    bench::GpuCase tiny = tinyCase();
    tiny.longest = bench::MemoryGoal{33, 1};  // one token more than the model's context
    bench::GpuBenchmarkOptions options = quickOptions();
    options.withLoading = false;
    const auto all = orThrow(bench::benchmarkGpu({tiny}, options));
    const bench::Measurement* const failed = find(all, "tiny_33");
    REQUIRE(failed);
    CHECK(std::isnan(failed->value));
    CHECK(failed->note.find("shorten") != std::string::npos);
    CHECK(find(all, "tiny_8_full_ms"));
    CHECK_FALSE(find(all, "tiny_load_gb_per_s"));
}
