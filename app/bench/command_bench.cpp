#include "app/support/commands.h"

#include "app/support/arguments.h"
#include "base/failure.h"
#include "base/text_format.h"
#include "base/timing.h"
#ifdef HS_WITH_UI
#include "app/desktop/layout_bench.h"
#include "app/desktop/window_bench.h"
#endif
#include "app/support/messages.h"
#include "app/support/output.h"
#include "app/support/workspace.h"
#include "app/training/training_arguments.h"
#include "bench/gpu_benchmark.h"
#include "bench/training_benchmark.h"
#include "engine/load/model_loader.h"
#include "model/model_locator.h"

#include <algorithm>
#include <cstdio>
#include <memory>
#include <optional>

namespace hs::app {
namespace {

struct BenchArguments {
    std::string device = "auto";
    std::string dtype = "auto";
    int tokens = 64;
    std::optional<int> rounds;
    std::string tokenizer;
    std::string textFile;
    std::string json;
    bool tf32 = false;
    bool ofGpu = false;
    std::string baseline;  // with ofGpu
    bool withoutLoading = false;
    bool ofWindow = false;
    bool ofFigures = false;
    bool ofLayouts = false;
    std::string model;
    std::string pictures;
    std::string trained;
    int rows = bench::TrainingBenchmark().rows;
    int length = bench::TrainingBenchmark().length;
};

void append(std::vector<bench::Measurement>& all, std::vector<bench::Measurement> more)
{
    all.insert(all.end(), more.begin(), more.end());
}

/// Best of three over the whole file as one text, on this thread alone.
std::vector<bench::Measurement> measureTokenizer(const BenchArguments& arguments)
{
    const std::shared_ptr<const text::Tokenizer> tokenizer = openTokenizer(arguments.tokenizer);
    PromptArguments prompt;
    prompt.textFile = arguments.textFile;
    const std::string text = promptText(prompt);
    double best = 1e300;
    std::size_t count = 0;
    for (int round = 0; round < 3; ++round) {
        const double elapsed = milliseconds([&] { count = orThrow(tokenizer->encode(text)).ids.size(); });
        best = std::min(best, elapsed / 1e3);
    }
    return {{"tokenize_mb_per_s", static_cast<double>(text.size()) / best / 1e6, "MB/s",
             std::to_string(text.size()) + " bytes, " + std::to_string(count) + " tokens, one core"},
            {"tokenize_1mb_s", best / (static_cast<double>(text.size()) / 1e6), "s", "1 MB; goal: below 1"}};
}

/// One line of a table on standard output.
void print(const bench::Measurement& measurement)
{
    std::printf("%-28s %10.3f %-5s %s\n", measurement.name.c_str(), measurement.value,
                measurement.unit.c_str(), measurement.note.c_str());
    std::fflush(stdout);
}

/// Adds the numbers to the `conditions` they were taken under and writes both to a file.
void writeMeasurements(const std::string& file, const std::vector<bench::Measurement>& measurements,
                       Json conditions)
{
    for (const bench::Measurement& measurement : measurements)
        conditions[measurement.name] = numberOrNull(measurement.value);
    writeOutput(file, conditions);
}

/// `conditions` are those the numbers were taken under.
void publish(const std::vector<bench::Measurement>& measurements, Json conditions,
             const BenchArguments& arguments)
{
    if (!arguments.json.empty())
        writeMeasurements(arguments.json, measurements, std::move(conditions));
    if (arguments.json != "-")
        std::ranges::for_each(measurements, print);
}

void measureTraining(const BenchArguments& arguments)
{
    const std::stop_token interrupt = interruptToken();
    const TrainingPlace place = trainingPlace(arguments.device, arguments.dtype);
    if (const auto warning = engine::slowBlasWarning(); warning && !place.device.isCuda())
        say(*warning);
    bench::TrainingBenchmark options;
    options.model = orThrow(engine::loadModel(orThrow(model::locateModel(arguments.trained)),
                                              {place.device, model::DType::F32}, {{}, interrupt}));
    options.rows = arguments.rows;
    options.length = arguments.length;
    options.rounds = arguments.rounds.value_or(options.rounds);
    options.computedIn = place.computedIn;
    if (options.length > options.model->spec().context)
        fail(ErrorCode::BadRequest, options.model->facts().name + " reads " +
                                        formatCount(options.model->spec().context) +
                                        " tokens; give a shorter --length.");
    say("Timing on " + engine::describe(place.device) + "; close other programs.");
    ProgressLine progress("Round");
    const Hooks hooks{progress.callback(), interrupt};
    std::vector<bench::Measurement> all = orThrow(bench::benchmarkSampling(options, hooks));
    append(all, orThrow(bench::benchmarkTraining(options, hooks)));
    publish(all,
            {{"device", engine::describe(place.device)},
             {"model", options.model->facts().name},
             {"computed_in", model::name(place.computedIn)},
             {"rows", options.rows},
             {"length", options.length},
             {"rounds", options.rounds}},
            arguments);
}

Json readBaseline(const std::string& file)
{
    Json times = readJsonFile(file);
    if (!times.is_object())
        fail(ErrorCode::BadFile, file + " holds no times of transformers; write it with "
                                        "tests/bench/hf_baseline.py.");
    return times;
}

/// Times a GPU with the models and goals of `gpuCases` and prints each number as it becomes known.
void measureGpu(const BenchArguments& arguments)
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

void measure(const BenchArguments& arguments)
{
    if (arguments.ofGpu) {
        measureGpu(arguments);
        return;
    }
    if (!arguments.trained.empty()) {
        measureTraining(arguments);
        return;
    }
#ifdef HS_WITH_UI
    if (arguments.ofWindow) {
        publish(benchmarkDesktop(arguments.model, arguments.pictures), Json::object(), arguments);
        return;
    }
    if (arguments.ofLayouts) {
        publish(measureLayouts(), Json::object(), arguments);
        return;
    }
    if (arguments.ofFigures) {
        publish(benchmarkFigureFiles(), Json::object(), arguments);
        return;
    }
#endif
    bench::Options options;
    options.place = {orThrow(engine::chooseDevice(arguments.device)),
                     orThrow(engine::chooseDType(arguments.dtype))};
    options.tokens = arguments.tokens;
    options.tf32 = arguments.tf32;
    options.rounds = arguments.rounds.value_or(options.rounds);
    if (const auto warning = engine::slowBlasWarning(); warning && !options.place.device.isCuda())
        say(*warning);
    say("Timing on " + engine::describe(options.place.device) + "; close other programs.");

    std::vector<bench::Measurement> all = orThrow(bench::benchmarkLoading(options, {{}, interruptToken()}));
    ProgressLine progress("Round");
    append(all, orThrow(bench::benchmarkRuns(options, {progress.callback(), interruptToken()})));
    append(all, orThrow(bench::benchmarkPooling(options, {progress.callback(), interruptToken()})));
    append(all, orThrow(bench::benchmarkSweep(options, {progress.callback(), interruptToken()})));
    append(all, orThrow(bench::benchmarkGeneration(options, {progress.callback(), interruptToken()})));
    append(all, orThrow(bench::benchmarkSet(options, {progress.callback(), interruptToken()})));
    append(all, orThrow(bench::benchmarkHeadPages(options, {progress.callback(), interruptToken()})));
    if (!arguments.tokenizer.empty())
        append(all, measureTokenizer(arguments));
    publish(
        all,
        {{"device", engine::describe(options.place.device)},
         {"precision", engine::precisionName(options.place.device.devices.front(),
                                             options.place.dtype.value_or(model::DType::F32), options.tf32)},
         {"tokens", arguments.tokens},
         {"rounds", options.rounds}},
        arguments);
}

}  // namespace

void addBenchCommand(CLI::App& app, Action& action)
{
    auto arguments = std::make_shared<BenchArguments>();
    CLI::App& command =
        *app.add_subcommand("bench", "Time this machine: loading, forward, ablate and redraw");
    command.add_option("--device", arguments->device, "auto, cpu, cuda or cuda:N")->capture_default_str();
    command.add_option("--dtype", arguments->dtype, "auto, f32, bf16 or f16")->capture_default_str();
    addTf32Option(command, arguments->tf32);
    command.add_option("--tokens", arguments->tokens, "Length of the prompt")
        ->check(CLI::Range(2, 1024))
        ->capture_default_str();
    command
        .add_option("--rounds", arguments->rounds,
                    "Rounds to take the median of; by default 11, 50 with --gpu")
        ->check(CLI::Range(1, 1000));
    auto* const gpu = command.add_flag(
        "--gpu", arguments->ofGpu,
        "Time a GPU instead, with GPT-2 small and OLMo-7B: redraw, sweep, loading, distance to its limits");
    command
        .add_option("--baseline", arguments->baseline,
                    "With --gpu: times of transformers to compare with, from tests/bench/hf_baseline.py")
        ->type_name("F")
        ->needs(gpu);
    command.add_flag("--no-load", arguments->withoutLoading, "With --gpu: leave out loading OLMo-7B")
        ->needs(gpu);
    auto* const tokenizer =
        command.add_option("--tokenizer", arguments->tokenizer, "Time this model's tokenizer, too")
            ->type_name("DIR");
    auto* const text =
        command.add_option("--text-file", arguments->textFile, "The text it reads")->type_name("F");
    tokenizer->needs(text);
    auto* const training =
        command
            .add_option("--training", arguments->trained,
                        "Time a step of sparse post-training of this model instead, and how fast it writes "
                        "samples")
            ->type_name("DIR");
    command.add_option("--rows", arguments->rows, "With --training: documents a step")
        ->check(CLI::Range(1, 1000000))
        ->capture_default_str()
        ->needs(training);
    command.add_option("--length", arguments->length, "With --training: tokens of each")
        ->check(CLI::Range(2, 1000000))
        ->capture_default_str()
        ->needs(training);
#ifdef HS_WITH_UI
    auto* const window = command.add_flag("--ui", arguments->ofWindow,
                                          "Time the window instead: frames, hover, start, redraw");
    command.add_flag("--layouts", arguments->ofLayouts,
                     "Measure the window's layout instead: how much of it is canvas, and of that tiles");
    command.add_flag("--figures", arguments->ofFigures,
                     "Time figures instead: 411 heads of 64 tokens to PDF, SVG and PNG");
    auto* const model =
        command
            .add_option("--model", arguments->model,
                        "With --ui: time the window and a researcher's round with this model, too")
            ->type_name("DIR")
            ->needs(window);
    command.add_option("--pictures", arguments->pictures, "Folder for a picture of each step of that round")
        ->type_name("DIR")
        ->needs(model);
#endif
    command.add_option("--json", arguments->json, "Write the numbers as JSON; - is standard output")
        ->type_name("F");
    command.callback([arguments, &action] { action = [arguments] { measure(*arguments); }; });
}

}  // namespace hs::app
