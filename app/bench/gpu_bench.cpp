#include "app/bench/gpu_bench.h"

#include "app/bench/measurement_output.h"
#include "app/support/messages.h"
#include "app/support/output.h"
#include "base/failure.h"
#include "bench/gpu_benchmark.h"

namespace hs::app {
namespace {

Json readBaseline(const std::string& file)
{
    Json times = readJsonFile(file);
    if (!times.is_object())
        fail(ErrorCode::BadFile, file + " holds no times of transformers; write it with "
                                        "tests/bench/hf_baseline.py.");
    return times;
}

}  // namespace

void addGpuBenchOptions(CLI::App& command, CLI::Option* chosen, GpuBenchArguments& arguments)
{
    command
        .add_option("--baseline", arguments.baseline,
                    "With --gpu: times of transformers to compare with, from tests/bench/hf_baseline.py")
        ->type_name("F")
        ->needs(chosen);
    command.add_flag("--no-load", arguments.withoutLoading, "With --gpu: leave out loading OLMo-7B")
        ->needs(chosen);
}

void benchGpu(const GpuBenchArguments& arguments)
{
    bench::GpuBenchmarkOptions options;
    options.device = orThrow(engine::chooseDevice(arguments.device));
    if (!options.device.isCuda() && arguments.device == "cpu")
        fail(ErrorCode::BadRequest,
             "A GPU cannot be timed on the processor; leave out --device cpu or --gpu.");
    if (!options.device.isCuda())
        fail(ErrorCode::NotFound,
             "This machine or this build of HeadScope has no CUDA GPU to time; leave out "
             "--gpu to time the processor.");
    options.rounds = arguments.rounds.value_or(options.rounds);
    options.withLoading = !arguments.withoutLoading;
    options.tf32 = arguments.tf32;
    if (!arguments.baseline.empty())
        options.baseline = readBaseline(arguments.baseline);
    if (!arguments.json.empty())
        requireWritable(arguments.json);
    say("Timing on " + engine::describe(options.device) + "; close other programs.");
    ProgressLine progress("Round");
    const auto printed = [&](const bench::Measurement& measurement) {
        if (arguments.json != "-")
            print(measurement);
    };
    const std::vector<bench::Measurement> all = orThrow(
        bench::benchmarkGpu(bench::gpuCases(), options, {progress.callback(), interruptToken()}, printed));
    if (!arguments.json.empty())
        writeMeasurements(arguments.json, all,
                          {{"device", engine::describe(options.device)},
                           {"rounds", options.rounds},
                           {"tf32", options.tf32}});
}

}  // namespace hs::app
