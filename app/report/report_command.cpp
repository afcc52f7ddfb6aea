#include "app/report/report_command.h"

#include "app/report/pair_reports.h"
#include "app/support/output.h"
#include "base/failure.h"
#ifdef HS_WITH_UI
#include "app/desktop/report_page.h"
#endif

#include <sstream>

namespace hs::app {
namespace {

constexpr int kMostAsked = 100000;

std::string allTasks()
{
    std::string list;
    for (const std::string& word : allWords<text::PairTask>())
        list += (list.empty() ? "" : ",") + word;
    return list;
}

}  // namespace

void addReportOptions(CLI::App& command, ReportArguments& arguments)
{
    ReportOptions& options = arguments.options;
    arguments.tasks = allTasks();
    auto* const report = command.add_flag(
        "--report", arguments.isWanted,
        "Judge the sparse model by the dense one instead: loss, KL and agreement on a text, density by "
        "length, "
        "layer and head, heads in use, and by task accuracy and circuits; --gate is the sparse model's");
    auto* const data =
        command
            .add_option("--data", arguments.data,
                        "The text of the report, as --text-file; with neither, the dense model "
                        "writes one")
            ->type_name("FILE")
            ->needs(report);
    for (const char* const other : {"--text", "--text-file", "--tokens", "--chat"})
        data->excludes(command.get_option(other));
    command.add_option("--passages", options.passages, "Passages of the text that the report is about")
        ->check(CLI::Range(1, kMostAsked))
        ->capture_default_str()
        ->needs(report);
    command
        .add_option("--seed", options.seed,
                    "Another number gives other passages and prompts, or draws other tokens")
        ->capture_default_str();
    command.add_option("--tasks", arguments.tasks, "Tasks of the report, or none")
        ->capture_default_str()
        ->type_name("LIST")
        ->needs(report);
    command
        .add_flag("--first-token", options.startsPrompts,
                  "Put the tokenizer's first token before the tasks' prompts even if it does not itself")
        ->needs(report);
    command.add_option("--questions", options.prompts, "Prompts of each task that both models answer")
        ->check(CLI::Range(1, kMostAsked))
        ->capture_default_str()
        ->needs(report);
    command
        .add_option(
            "--pairs", options.pairs,
            "Pairs of each task whose circuits are searched, the first that both models answer; 0: none")
        ->check(CLI::Range(0, kMostAsked))
        ->capture_default_str()
        ->needs(report);
    command.add_option("--level", options.level, "Explained effect that the circuits reach")
        ->check(CLI::Range(0.0, 1.0))
        ->capture_default_str()
        ->needs(report);
    addWordOption(
        command, "--rank", options.ranking,
        "As for circuit: restore and remove run every unit alone, gradient estimates them in one pass")
        ->needs(report);
    command.add_option("--from", arguments.from, "A report that --json wrote, to be printed and drawn again")
        ->type_name("F")
        ->needs(report);
#ifdef HS_WITH_UI
    command.add_option("--out", arguments.out, "Also draw the report on a page: .pdf, .svg or .png")
        ->type_name("F")
        ->needs(report);
#endif
}

void runReport(ReportArguments arguments, const std::string& json)
{
    requireWritable(json);
    arguments.options.tasks = parseTasks(arguments.tasks);
    if (!arguments.data.empty())
        arguments.options.text.textFile = arguments.data;
#ifdef HS_WITH_UI
    if (!arguments.out.empty())
        requireReportPage(arguments.out);
#endif
    const train::PairReport report =
        arguments.from.empty() ? measureReport(arguments.options)
                               : train::pairReportFrom(readJsonFile(arguments.from), arguments.from);
    if (!json.empty())
        writeOutput(json, train::toJson(report));
#ifdef HS_WITH_UI
    if (!arguments.out.empty())
        writeReportPage(report, arguments.out);
#endif
    if (json != "-")
        writeOutput("-", reportTable(report));
}

}  // namespace hs::app
