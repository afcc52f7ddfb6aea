#include "app/support/commands.h"

#include "analyses/analysis_json.h"
#include "app/support/messages.h"
#include "app/support/output.h"
#include "app/support/part_file.h"
#include "app/support/parts.h"
#include "app/support/prompt_file.h"
#include "app/support/soundness.h"
#include "app/support/sweep_table.h"
#include "app/support/workspace.h"
#include "base/failure.h"
#include "train/named_prompts.h"

#include <map>
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
    std::string cells;
    std::string cellMethod = "zero";
    std::string shard = "1/1";
    std::string csv;
    std::string json;
};

/// One prompt, checked and ready to be swept.
struct Task {
    int index = 0;
    std::string text;
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

/// The next prompt of a set with as many tokens and other ones, for prompts that name no source. Holds the tokens of the
/// whole set.
class NextOfLength {
public:
    NextOfLength(const engine::Workspace& workspace, const SweepArguments& arguments, text::PromptSet& set)
    {
        for (; const std::optional<text::SetPrompt> prompt = set.next();)
            if (prompt->problem.empty())
                if (auto tokens = guarded([&] { return tokensOf(workspace, arguments, prompt->text); }))
                    m_byLength[tokens->size()].emplace(prompt->index, std::move(*tokens));
        set.restart();
    }

    std::vector<std::int64_t> after(int index, const std::vector<std::int64_t>& tokens) const
    {
        const auto& alike = m_byLength.at(tokens.size());
        auto next = alike.upper_bound(index);
        for (std::size_t step = 0; step < alike.size(); ++step, ++next) {
            if (next == alike.end())
                next = alike.begin();
            if (next->second != tokens)
                return next->second;
        }
        fail(ErrorCode::BadRequest,
             "No other prompt of the file has as many tokens; give it a \"source\" to resample "
             "from.");
    }

private:
    std::map<std::size_t, std::map<int, std::vector<std::int64_t>>> m_byLength;  // by index
};

Task taskOf(const text::SetPrompt& line, const engine::Workspace& workspace, const SweepArguments& arguments,
            const std::optional<NextOfLength>& sources)
{
    Task task{line.index, line.text, requestOf(workspace, arguments)};
    PromptArguments prompt;
    prompt.text = line.text;
    prompt.withoutBos = arguments.prompt.withoutBos;
    task.request.run = makeRequest(workspace, prompt, arguments.run);
    task.request.target = wantedToken(workspace, line.target);
    if (line.versus)
        task.request.versus = wantedToken(workspace, *line.versus);
    if (sources)
        task.request.source = line.source ? tokensOf(workspace, arguments, *line.source)
                                          : sources->after(line.index, task.request.run.tokens);
    return task;
}

Task onlyTask(const engine::Workspace& workspace, const SweepArguments& arguments)
{
    if (!arguments.target)
        fail(ErrorCode::BadRequest, "There is no target; give the token to watch with --target.");
    Task task{0, arguments.prompt.text.value_or(""), requestOf(workspace, arguments)};
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
    return task;
}

void requireSoundSweep(engine::Engine& engine, const Task& task)
{
    requireSound([&](const Hooks& hooks) { return analyses::sweep(engine, task.request, hooks); });
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
    writeTable(std::move(table), {arguments.json, arguments.csv, {}});
    if (isStopped)
        fail(ErrorCode::Cancelled,
             "Stopped; what was known was written, with gaps for the rest; run it again for all.");
}

/// Sweeps the prompts of a set; those that are faulty are left out.
void sweepSet(engine::Engine& engine, const engine::Workspace& workspace, SweepTable& table,
              const SweepArguments& arguments)
{
    const Shard shard = parseShard(arguments.shard);
    checkRunOptions(workspace, arguments.run);
    text::PromptSet set =
        train::openPrompts(arguments.prompts, text::PromptNeeds::Question, workspace.tokenizer.get());
    table.promptCount = set.count();
    table.conditions = conditionsOf(arguments.prompts, arguments.run, arguments.prompt.withoutBos);
    std::optional<NextOfLength> sources;
    if (arguments.method == analyses::SweepMethod::Resample)
        sources.emplace(workspace, arguments, set);
    ProgressLine progress("Prompt");
    const Hooks hooks{progress.callback(), interruptToken()};
    while (const std::optional<text::SetPrompt> prompt = set.next()) {
        if (!shard.has(prompt->index))
            continue;
        hooks.report(prompt->index, table.promptCount);
        const std::optional<Task> task = text::doneOrLeftOut(*prompt, table.leftOut, [&] {
            Task made = taskOf(*prompt, workspace, arguments, sources);
            requireSoundSweep(engine, made);
            return made;
        });
        if (!task)
            continue;
        Result<analyses::Sweep> swept = analyses::sweep(engine, task->request, Hooks{{}, hooks.stop});
        if (!swept && swept.error().code == ErrorCode::Cancelled && !table.prompts.empty()) {
            const std::size_t done = table.prompts.size();
            writeTable(std::move(table), {arguments.json, arguments.csv, {}});
            fail(ErrorCode::Cancelled, "Stopped after " + std::to_string(done) +
                                           " prompts, whose results were written; run it again for all.");
        }
        table.prompts.push_back({task->index, task->text, orThrow(std::move(swept))});
    }
    writeSet(std::move(table), {arguments.json, arguments.csv, {}});
}

/// Ranks the cells of one head.
void rankCells(engine::Engine& engine, const engine::Workspace& workspace, const SweepArguments& arguments)
{
    const Task task = onlyTask(workspace, arguments);
    analyses::CellSweepRequest request;
    request.run = task.request.run;
    request.head = orThrow(parseHead(arguments.cells));
    request.method = orThrow(parseCellMethod(arguments.cellMethod));
    request.target = task.request.target;
    request.versus = task.request.versus;
    ProgressLine progress("Cell");
    const analyses::CellSweep swept =
        orThrow(analyses::sweepCells(engine, request, {progress.callback(), interruptToken()}));
    if (swept.leftOut > 0)
        say(std::to_string(swept.leftOut) + " cells with less weight than these were left out.");
    if (!arguments.json.empty())
        writeOutput(arguments.json, analyses::toJson(swept));
    if (!arguments.csv.empty() || arguments.json.empty())
        writeOutput(arguments.csv, toCsv(swept));
}

void run(const SweepArguments& arguments)
{
    parseShard(arguments.shard);
    requireWritable(arguments.json);
    requireWritable(arguments.csv);
    const engine::Workspace workspace = openWorkspace(arguments.model);
    engine::Engine engine;
    if (!arguments.cells.empty())
        return rankCells(engine, workspace, arguments);
    SweepTable table;
    table.model = workspace.model->facts().name;
    table.units = arguments.units;
    table.method = arguments.method;
    if (!arguments.prompts.empty()) {
        sweepSet(engine, workspace, table, arguments);
        return;
    }
    const Task task = onlyTask(workspace, arguments);
    requireSoundSweep(engine, task);
    sweepOnly(engine, task, table, arguments);
}

}  // namespace

void addSweepCommand(CLI::App& app, Action& action)
{
    auto arguments = std::make_shared<SweepArguments>();
    CLI::App& command =
        *app.add_subcommand("sweep", "What switching off each head, or MLP, alone does to an answer");
    addModelOptions(command, arguments->model);
    addPromptOptions(command, arguments->prompt);
    addRunOptions(command, arguments->run);
    addAdapterOption(command, arguments->run);
    auto* const target =
        command.add_option("--target", arguments->target, "The token whose logit is watched")->type_name("T");
    command.add_option("--versus", arguments->versus, "A token whose logit is subtracted from the target's")
        ->type_name("U");
    auto* const file =
        command
            .add_option(
                "--prompts", arguments->prompts,
                "Many prompts, as JSON lines or CSV with \"text\", \"target\", \"versus\" and \"source\", or "
                "task:NAME:COUNT: means over all of them")
            ->type_name("F");
    file->excludes(target)
        ->excludes("--text")
        ->excludes("--text-file")
        ->excludes("--tokens")
        ->excludes("--chat");
    addWordOption(command, "--units", arguments->units,
                  "What is switched off: heads, groups (key/value), layers, or heads+mlps");
    addWordOption(command, "--method", arguments->method,
                  "Their outputs become zero, their mean over positions, or those of another prompt");
    command
        .add_option("--source", arguments->source,
                    "The prompt to resample from, of as many tokens; in a file by default the next such one")
        ->type_name("S");
    auto* const cells =
        command.add_option("--cells", arguments->cells, "Cut each cell of this head instead, and rank them")
            ->type_name("HEAD");
    cells->excludes(file)->excludes("--units")->excludes("--method");
    command
        .add_option("--cell-method", arguments->cellMethod,
                    "What becomes of a cell: zero (default), renormalise, scale=0.5")
        ->needs(cells)
        ->type_name("HOW");
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
