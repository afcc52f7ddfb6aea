#include "app/support/commands.h"

#include "app/support/messages.h"
#include "app/support/output.h"
#include "app/support/workspace.h"
#include "base/failure.h"
#include "engine/run/engine.h"
#include "stats/metric_table.h"

#include <cmath>
#include <memory>

namespace hs::app {
namespace {

struct MetricsArguments {
    engine::ModelArguments model;
    PromptArguments prompt;
    RunArguments run;
    double threshold = engine::Capture().threshold;
    std::string csv;
    std::string json;
};

std::string toCsv(const engine::RunResult& result)
{
    std::string csv = "layer,head";
    for (const stats::Metric& metric : stats::allMetrics())
        csv += "," + std::string(metric.name);
    csv += "\n";
    for (int index = 0; index < result.heads.total(); ++index) {
        const HeadId head = result.heads.at(index);
        csv += std::to_string(head.layer) + "," + std::to_string(head.head);
        for (const stats::Metric& metric : stats::allMetrics()) {
            const double value = metric.of(result.stats[index]);
            char text[32] = "";
            if (std::isfinite(value))
                std::snprintf(text, sizeof text, "%.9g", value);
            csv += "," + std::string(text);
        }
        csv += "\n";
    }
    return csv;
}

Json toJson(const engine::RunResult& result, double threshold)
{
    Json rows = Json::array();
    for (int index = 0; index < result.heads.total(); ++index) {
        const HeadId head = result.heads.at(index);
        Json row = {{"layer", head.layer}, {"head", head.head}};
        for (const stats::Metric& metric : stats::allMetrics())
            row[std::string(metric.name)] = numberOrNull(metric.of(result.stats[index]));
        rows.push_back(std::move(row));
    }
    return {{"threshold", threshold}, {"density", result.density}, {"heads", std::move(rows)}};
}

void run(const MetricsArguments& arguments)
{
    const engine::Workspace workspace = openWorkspace(arguments.model);
    engine::RunRequest request = makeRequest(workspace, arguments.prompt, arguments.run);
    request.capture.loss = false;
    request.capture.threshold = arguments.threshold;
    engine::Engine engine;
    ProgressLine progress("Layer");
    const engine::RunResult result = orThrow(engine.run(request, {progress.callback(), interruptToken()}));
    if (!arguments.json.empty())
        writeOutput(arguments.json, toJson(result, arguments.threshold));
    if (!arguments.csv.empty() || arguments.json.empty())
        writeOutput(arguments.csv, toCsv(result));
}

}  // namespace

void addMetricsCommand(CLI::App& app, Action& action)
{
    auto arguments = std::make_shared<MetricsArguments>();
    CLI::App& command = *app.add_subcommand("metrics", "One row of numbers for every head");
    addModelOptions(command, arguments->model);
    addPromptOptions(command, arguments->prompt);
    addRunOptions(command, arguments->run);
    command.add_option("--threshold", arguments->threshold, "Weight above which density_above counts a cell")
        ->check(CLI::Range(0.0, 1.0))
        ->capture_default_str();
    command.add_option("--csv", arguments->csv, "Where the CSV goes; - (default) is standard output")
        ->type_name("F");
    command.add_option("--json", arguments->json, "Where the JSON goes; - is standard output")
        ->type_name("F");
    command.callback([arguments, &action] { action = [arguments] { run(*arguments); }; });
}

}  // namespace hs::app
