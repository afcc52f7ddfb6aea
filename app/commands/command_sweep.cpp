#include "app/support/commands.h"

#include "app/support/messages.h"
#include "app/support/output.h"
#include "app/support/parts.h"
#include "app/support/prompt_file.h"
#include "app/support/soundness.h"
#include "app/support/sweep_table.h"
#include "app/support/workspace.h"
#include "base/failure.h"

#include <algorithm>
#include <memory>

namespace hs::app {
namespace {

struct SweepArguments {
    engine::ModelArguments model;
    PromptArguments prompt;
    RunArguments run;
    std::optional<std::string> target;
    std::optional<std::string> versus;
    std::string prompts;
    analyses::SweepUnits units = analyses::SweepUnits::Heads;
    analyses::SweepMethod method = analyses::SweepMethod::Zero;
    std::optional<std::string> source;
    std::string shard = "1/1";
    std::string csv;
    std::string json;
};

/// One prompt, checked and ready to be swept.
struct Task {
    int index = 0;
    std::string text;
    std::string where;  // its line in a file
    analyses::SweepRequest request;
};

std::vector<std::int64_t> tokensOf(const engine::Workspace& workspace, const SweepArguments& arguments,
                                   const std::string& text)
{
    PromptArguments prompt;
    prompt.text = text;
    prompt.withoutBos = arguments.prompt.withoutBos;
    return promptTokens(prompt, workspace.tokenizer.get());
}

analyses::SweepRequest requestOf(const engine::Workspace& workspace, const SweepArguments& arguments)
{
    analyses::SweepRequest request;
    request.run.model = workspace.model;
    request.units = arguments.units;
    request.method = arguments.method;
    return request;
}

/// Gives a prompt that names no source the next one in the file with as many tokens.
void findSources(std::vector<Task>& tasks)
{
    for (std::size_t index = 0; index < tasks.size(); ++index) {
        analyses::SweepRequest& request = tasks[index].request;
        for (std::size_t step = 1; step < tasks.size() && request.source.empty(); ++step) {
            const std::vector<std::int64_t>& other = tasks[(index + step) % tasks.size()].request.run.tokens;
            if (other.size() == request.run.tokens.size() && other != request.run.tokens)
                request.source = other;
        }
        if (request.source.empty())
            fail(ErrorCode::BadRequest, "No other prompt of the file has as many tokens as \"" +
                                            tasks[index].text + "\"; give it a \"source\" to resample from.");
    }
}

Task taskOf(const PromptLine& line, const engine::Workspace& workspace, const SweepArguments& arguments)
{
    Task task{line.index, line.text, line.where, requestOf(workspace, arguments)};
    PromptArguments prompt;
    prompt.text = line.text;
    prompt.withoutBos = arguments.prompt.withoutBos;
    task.request.run = makeRequest(workspace, prompt, arguments.run);
    task.request.target = wantedToken(workspace, line.target);
    if (line.versus)
        task.request.versus = wantedToken(workspace, *line.versus);
    if (line.source)
        task.request.source = tokensOf(workspace, arguments, *line.source);
    return task;
}

std::vector<Task> tasksOfFile(const engine::Workspace& workspace, const SweepArguments& arguments)
{
    std::vector<Task> tasks;
    for (const PromptLine& line : readPromptFile(arguments.prompts))
        tasks.push_back(checkedLine(line.where, [&] { return taskOf(line, workspace, arguments); }));
    if (arguments.method == analyses::SweepMethod::Resample)
        findSources(tasks);
    return tasks;
}

std::vector<Task> onlyTask(const engine::Workspace& workspace, const SweepArguments& arguments)
{
    if (!arguments.target)
        fail(ErrorCode::BadRequest, "There is no target; give the token to watch with --target.");
    Task task{0, arguments.prompt.text.value_or(""), "", requestOf(workspace, arguments)};
    task.request.run = makeRequest(workspace, arguments.prompt, arguments.run);
    task.request.target = wantedToken(workspace, *arguments.target);
    if (arguments.versus)
        task.request.versus = wantedToken(workspace, *arguments.versus);
    if (arguments.method == analyses::SweepMethod::Resample) {
        if (!arguments.source)
            fail(ErrorCode::BadRequest, "Resampling takes the heads' outputs from another prompt of as many "
                                        "tokens; give it with --source.");
        task.request.source = tokensOf(workspace, arguments, *arguments.source);
    }
    return {task};
}

void write(const SweepTable& table, const SweepArguments& arguments)
{
    if (!arguments.json.empty())
        writeOutput(arguments.json, toJson(table));
    if (!arguments.csv.empty() || arguments.json.empty())
        writeOutput(arguments.csv, toCsv(table));
}

/// Throws if anything is wrong with any of them, before the first is run.
void requireAllSound(engine::Engine& engine, const std::vector<Task>& tasks)
{
    for (const Task& task : tasks) {
        const auto check = [&] {
            requireSound([&](const Hooks& hooks) { return analyses::sweep(engine, task.request, hooks); });
        };
        if (task.where.empty())
            check();
        else
            checkedLine(task.where, check);
    }
}

/// Sweeps one prompt; if stopped on the way, the table has the units done by then.
void sweepOnly(engine::Engine& engine, const Task& task, SweepTable& table, const SweepArguments& arguments)
{
    ProgressLine progress("Variant");
    std::optional<analyses::Sweep> known;
    Result<analyses::Sweep> swept =
        analyses::sweep(engine, task.request, {progress.callback(), interruptToken()},
                        [&](const analyses::Sweep& partial) { known = partial; });
    const bool isStopped = !swept && swept.error().code == ErrorCode::Cancelled && known;
    table.prompts.push_back({task.index, task.text, isStopped ? *known : orThrow(std::move(swept))});
    write(table, arguments);
    if (isStopped)
        fail(ErrorCode::Cancelled,
             "Stopped; what was known was written, with gaps for the rest; run it again for all.");
}

void sweepFile(engine::Engine& engine, const std::vector<Task>& tasks, const Shard& shard, SweepTable& table,
               const SweepArguments& arguments)
{
    ProgressLine progress("Prompt");
    const Hooks hooks{progress.callback(), interruptToken()};
    for (const Task& task : tasks) {
        if (!shard.has(task.index))
            continue;
        hooks.report(task.index, table.promptCount);
        Result<analyses::Sweep> swept = analyses::sweep(engine, task.request, Hooks{{}, hooks.stop});
        if (!swept && swept.error().code == ErrorCode::Cancelled && !table.prompts.empty()) {
            write(table, arguments);
            fail(ErrorCode::Cancelled, "Stopped after " + std::to_string(table.prompts.size()) +
                                           " prompts, whose results were written; run it again for all.");
        }
        table.prompts.push_back({task.index, task.text, orThrow(std::move(swept))});
    }
    write(table, arguments);
}

void run(const SweepArguments& arguments)
{
    const Shard shard = parseShard(arguments.shard);
    requireWritable(arguments.json);
    requireWritable(arguments.csv);
    const engine::Workspace workspace = openWorkspace(arguments.model);
    const bool isFile = !arguments.prompts.empty();
    const std::vector<Task> tasks =
        isFile ? tasksOfFile(workspace, arguments) : onlyTask(workspace, arguments);
    engine::Engine engine;
    requireAllSound(engine, tasks);
    SweepTable table;
    table.model = workspace.model->facts().name;
    table.units = arguments.units;
    table.method = arguments.method;
    table.promptCount = static_cast<int>(tasks.size());
    if (isFile) {
        table.conditions = conditionsOf(arguments.prompts, arguments.run, arguments.prompt.withoutBos);
        sweepFile(engine, tasks, shard, table, arguments);
    } else {
        sweepOnly(engine, tasks.front(), table, arguments);
    }
}

}  // namespace

void addSweepCommand(CLI::App& app, Action& action)
{
    auto arguments = std::make_shared<SweepArguments>();
    CLI::App& command = *app.add_subcommand("sweep", "What switching off each head alone does to an answer");
    addModelOptions(command, arguments->model);
    addPromptOptions(command, arguments->prompt);
    addRunOptions(command, arguments->run);
    auto* const target =
        command.add_option("--target", arguments->target, "The token whose logit is watched")->type_name("T");
    command.add_option("--versus", arguments->versus, "A token whose logit is subtracted from the target's")
        ->type_name("U");
    auto* const file =
        command
            .add_option("--prompts", arguments->prompts,
                        "JSON lines {\"text\", \"target\", \"versus\", \"source\"}: means over all of them")
            ->type_name("F");
    file->excludes(target)
        ->excludes("--text")
        ->excludes("--text-file")
        ->excludes("--tokens")
        ->excludes("--chat");
    addWordOption(command, "--units", arguments->units,
                  "What is switched off: heads, groups (key/value) or layers");
    addWordOption(command, "--method", arguments->method,
                  "Their outputs become zero, their mean over positions, or those of another prompt");
    command
        .add_option("--source", arguments->source,
                    "The prompt to resample from, of as many tokens; in a file by default the next such one")
        ->type_name("S");
    addShardOption(command, arguments->shard, *file);
    command.add_option("--csv", arguments->csv, "Where the CSV goes; - (default) is standard output")
        ->type_name("F");
    command
        .add_option("--json", arguments->json,
                    "Where the JSON goes, every prompt in it; - is standard output")
        ->type_name("F");
    command.callback([arguments, &action] { action = [arguments] { run(*arguments); }; });
}

}  // namespace hs::app
