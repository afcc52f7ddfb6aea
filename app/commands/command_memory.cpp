#include "app/support/commands.h"

#include "app/support/output.h"
#include "app/support/text_table.h"
#include "base/failure.h"
#include "base/text_format.h"
#include "bench/benchmark_models.h"
#include "engine/request/forecast.h"
#include "model/architectures.h"
#include "model/model_locator.h"
#include "model/weight_plan.h"

#include <cstdio>
#include <memory>

namespace hs::app {
namespace {

struct MemoryArguments {
    std::string model;
    std::vector<std::int64_t> lengths = {128, 1024, 4096};
    std::string json;
};

struct NamedSpec {
    std::string name;
    model::ArchSpec spec;
};

/// A type of weights and where they run.
struct Holding {
    const char* name;
    model::DType weights;
    bool isOnGpu;
};

constexpr Holding kHoldings[] = {
    {"f32 on the processor", model::DType::F32, false},
    {"bf16 on the processor", model::DType::BF16, false},
    {"f32 on a GPU", model::DType::F32, true},
    {"bf16 on a GPU", model::DType::BF16, true},
};

/// Reads only config.json, or the keys of a GGUF file, so that it works before the rest of the model has been downloaded.
NamedSpec specOf(const std::string& where)
{
    std::filesystem::path config = where;
    if (std::filesystem::is_directory(config))
        config /= "config.json";
    if (config.filename() == "config.json" && std::filesystem::exists(config))
        return {where, orThrow(model::readArchSpec(readJsonFile(config)))};
    const Json known = model::configOf(orThrow(model::locateModel(where)));
    if (known.empty())
        fail(ErrorCode::NotFound,
             where + " has no config.json, which says how large the model is; put it there.");
    return {where, orThrow(model::readArchSpec(known))};
}

std::vector<NamedSpec> specsOf(const MemoryArguments& arguments)
{
    if (!arguments.model.empty())
        return {specOf(arguments.model)};
    return {{"GPT-2", orThrow(model::readArchSpec(bench::gpt2SmallConfig()))},
            {"OLMo-7B", orThrow(model::readArchSpec(bench::olmo7bConfig()))},
            {"Llama-8B", orThrow(model::readArchSpec(bench::llama8bConfig()))}};
}

engine::MemoryForecast forecast(const model::ArchSpec& spec, const Holding& holding, std::int64_t tokens)
{
    const std::uint64_t bytes = model::byteSize(holding.weights);
    engine::MemoryForecast forecast =
        engine::forecastRun(spec, bytes, holding.isOnGpu ? bytes : sizeof(float), tokens, engine::Capture());
    forecast.weights = engine::forecastLoad(spec, bytes).weights;
    return forecast;
}

/// "124 million", "6.9 billion".
std::string roundCount(std::int64_t count)
{
    const bool isBillions = count >= 1'000'000'000;
    const double value = static_cast<double>(count) / (isBillions ? 1e9 : 1e6);
    char text[32];
    std::snprintf(text, sizeof text, value < 10 ? "%.1f %s" : "%.0f %s", value,
                  isBillions ? "billion" : "million");
    return text;
}

std::uint64_t bytesOfMaps(const model::ArchSpec& spec, std::int64_t tokens)
{
    engine::Capture capture;
    capture.fullMaps = true;
    return engine::forecastRun(spec, sizeof(float), sizeof(float), tokens, capture).maps;
}

void addModel(TextTable& table, const NamedSpec& model, const std::vector<std::int64_t>& lengths)
{
    const auto row = [&](const std::string& name, const auto& bytesAt) {
        std::vector<std::string> cells;
        for (const std::int64_t tokens : lengths)
            cells.push_back(tokens > model.spec.context ? "too long" : formatBytes(bytesAt(tokens)));
        table.add(name, std::move(cells));
    };
    std::vector<std::string> header;
    for (const std::int64_t tokens : lengths)
        header.push_back(formatCount(tokens) + (tokens == 1 ? " token" : " tokens"));
    table.add(model.name + ", " + roundCount(model::parameterCount(model.spec)) + " weights",
              std::move(header));
    for (const Holding& holding : kHoldings)
        row(std::string("  ") + holding.name, [&](std::int64_t tokens) {
            const engine::MemoryForecast needed = forecast(model.spec, holding, tokens);
            return needed.weights + needed.running();
        });
    row("  all maps of run --npz, besides",
        [&](std::int64_t tokens) { return bytesOfMaps(model.spec, tokens); });
}

Json toJson(const NamedSpec& model, const std::vector<std::int64_t>& lengths)
{
    Json rows = Json::array();
    for (const Holding& holding : kHoldings)
        for (const std::int64_t tokens : lengths) {
            if (tokens > model.spec.context)
                continue;
            const engine::MemoryForecast needed = forecast(model.spec, holding, tokens);
            rows.push_back({{"dtype", holding.weights == model::DType::F32 ? "f32" : "bf16"},
                            {"device", holding.isOnGpu ? "cuda" : "cpu"},
                            {"tokens", tokens},
                            {"weights", needed.weights},
                            {"run", needed.running()},
                            {"maps", bytesOfMaps(model.spec, tokens)}});
        }
    return {{"model", model.name},
            {"parameters", model::parameterCount(model.spec)},
            {"context", model.spec.context},
            {"bytes", std::move(rows)}};
}

void run(const MemoryArguments& arguments)
{
    const std::vector<NamedSpec> models = specsOf(arguments);
    if (!arguments.json.empty()) {
        Json all = Json::array();
        for (const NamedSpec& model : models)
            all.push_back(toJson(model, arguments.lengths));
        writeOutput(arguments.json, all);
        return;
    }
    TextTable table;
    for (const NamedSpec& model : models)
        addModel(table, model, arguments.lengths);
    writeOutput("-", table.text());
}

}  // namespace

void addMemoryCommand(CLI::App& app, Action& action)
{
    static constexpr std::int64_t kMostTokens = 1 << 20;
    auto arguments = std::make_shared<MemoryArguments>();
    CLI::App& command = *app.add_subcommand(
        "memory", "How much memory a model and a prompt will take, from config.json alone");
    command
        .add_option("--model", arguments->model,
                    "A folder with config.json, that file, or a model as for run; by default GPT-2, OLMo-7B "
                    "and Llama-8B")
        ->type_name("DIR");
    command.add_option("--tokens", arguments->lengths, "Lengths of the prompt")
        ->delimiter(',')
        ->check(CLI::Range(std::int64_t{1}, kMostTokens))
        ->type_name("N,…")
        ->capture_default_str();
    command.add_option("--json", arguments->json, "Write bytes as JSON instead; - is standard output")
        ->type_name("F");
    command.callback([arguments, &action] { action = [arguments] { run(*arguments); }; });
}

}  // namespace hs::app
