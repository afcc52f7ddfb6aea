#include "app/array/array_parts.h"
#include "app/array/local_parts.h"
#include "app/array/slurm.h"
#include "app/array/spread_command.h"
#include "app/support/messages.h"
#include "app/support/output.h"
#include "base/child_process.h"
#include "base/failure.h"
#include "base/shell_words.h"

#include <memory>
#include <optional>

namespace hs::app {
namespace {

struct ArrayArguments {
    std::string folder = "headscope-array";
    std::vector<std::string> command;
    int parts = 0;
    std::optional<Scheduler> scheduler;
    std::optional<int> jobs;
    std::vector<std::string> sbatch;
    std::optional<int> retries;
    bool isDryRun = false;
    bool isStatus = false;
    bool isResumed = false;
    bool isMerge = false;
    int part = 0;
};

/// How the parts are to be run, as far as the user says.
void apply(const ArrayArguments& arguments, ArrayPlan& plan)
{
    plan.scheduler = arguments.scheduler.value_or(plan.scheduler);
    plan.jobs = arguments.jobs.value_or(plan.jobs);
    plan.retries = arguments.retries.value_or(plan.retries);
    if (!arguments.sbatch.empty())
        plan.sbatch = arguments.sbatch;
    for (const std::string& options : plan.sbatch)
        if (options.find('\n') != std::string::npos || options.find("--array") != std::string::npos)
            fail(ErrorCode::BadRequest,
                 "--sbatch takes options on one line, and none about the array itself; "
                 "say with --parts and --jobs what that is.");
}

void printPlan(const ArrayPlan& plan)
{
    std::vector<int> parts;
    for (int part = 1; part <= plan.parts; ++part)
        parts.push_back(part);
    const std::string program = programFile();
    if (plan.scheduler == Scheduler::Slurm) {
        writeOutput("-", "# " + (plan.folder / "job.sh").string() + "\n" + jobScript(plan, program) +
                             "\n# submitted by\n" + shellLine(arrayJob(plan, parts)) + "\n" +
                             shellLine(mergeJob(plan, {"JOB"}, plan.retries)) + "\n");
        return;
    }
    const LocalRoom room = localRoom(plan);
    const std::vector<std::string> start = {program, "array", "--folder", plan.folder.string()};
    std::string lines = "# " + std::to_string(room.jobs) + " at a time\n";
    for (const int part : parts)
        lines += "OMP_NUM_THREADS=" + std::to_string(room.threads) + " " + shellLine(start) + " --part " +
                 std::to_string(part) + "\n";
    writeOutput("-", lines + shellLine(start) + " --merge\n");
}

/// Gets done what is not yet, and the result.
void start(const ArrayPlan& plan)
{
    std::filesystem::create_directories(plan.folder / "parts");
    std::filesystem::create_directories(plan.folder / "logs");
    writePlan(plan);
    const std::vector<int> missing = missingParts(plan);
    if (plan.scheduler == Scheduler::Slurm && !missing.empty()) {
        submitParts(plan, missing, plan.retries);
        return;
    }
    runHere(plan, missing);
    mergeParts(plan);
}

void startAnew(const ArrayArguments& arguments)
{
    ArrayPlan plan = planArray(arguments.folder, arguments.command, arguments.parts);
    plan.scheduler = hasSlurm() ? Scheduler::Slurm : Scheduler::Local;
    apply(arguments, plan);
    if (arguments.isDryRun) {
        printPlan(plan);
        return;
    }
    requireWritable(plan.files.json);
    requireWritable(plan.files.csv);
    if (hasPlan(plan.folder) && readPlan(plan.folder).identity() != plan.identity())
        fail(ErrorCode::BadRequest, plan.folder.string() +
                                        " holds another array, or its prompts or model have changed; name "
                                        "another folder with --folder, or remove that one.");
    start(plan);
}

/// What is known of every part, in a few lines.
void printStatus(const ArrayPlan& plan)
{
    const QueuedParts queued = queuedParts(plan);
    std::vector<int> waiting;
    std::vector<int> missing;
    std::string flaws;
    for (const int part : missingParts(plan)) {
        (queued.parts.contains(part) ? waiting : missing).push_back(part);
        if (std::filesystem::exists(plan.partFile(part)))
            flaws += "part " + std::to_string(part) + ": " + flawOf(plan, part) + "\n";
    }
    const auto row = [](const std::string& name, const std::vector<int>& parts) {
        return name + std::to_string(parts.size()) + (parts.empty() ? "" : ": " + rangesOf(parts)) + "\n";
    };
    const std::size_t done = static_cast<std::size_t>(plan.parts) - waiting.size() - missing.size();
    writeOutput("-", "command  " + shellLine(plan.command) + "\n" + "done     " + std::to_string(done) +
                         " of " + std::to_string(plan.parts) + " parts\n" + row("queued   ", waiting) +
                         row("missing  ", missing) + flaws);
}

void merge(const ArrayPlan& plan, int retries)
{
    const std::vector<int> missing = missingParts(plan);
    if (missing.empty() || retries == 0 || static_cast<int>(missing.size()) == plan.parts)
        mergeParts(plan);
    else
        submitParts(plan, missing, retries - 1);
}

void run(const ArrayArguments& arguments)
{
    if (!arguments.command.empty()) {
        startAnew(arguments);
        return;
    }
    ArrayPlan plan = readPlan(arguments.folder);
    std::filesystem::current_path(plan.directory);
    if (arguments.isStatus) {
        printStatus(plan);
    } else if (arguments.part > 0) {
        runPart(plan, arguments.part);
    } else if (arguments.isMerge) {
        merge(plan, arguments.retries.value_or(0));
    } else {
        requireUnchanged(plan);
        apply(arguments, plan);
        start(plan);
    }
}

/// The command is taken apart at once, so that a mistake in it is one of the command line.
void check(const ArrayArguments& arguments)
{
    const int verbs = arguments.isStatus + arguments.isResumed + arguments.isMerge + (arguments.part > 0);
    if (verbs + !arguments.command.empty() != 1)
        throw CLI::ValidationError("array", "give either a command to spread, after --, or one of --resume, "
                                            "--status, --merge and --part");
    if (verbs == 0 && arguments.parts == 0)
        throw CLI::RequiredError("--parts");
    if (verbs == 0)
        SpreadCommand(arguments.command);
}

}  // namespace

void addArrayCommand(CLI::App& app, Action& action)
{
    auto arguments = std::make_shared<ArrayArguments>();
    CLI::App& command = *app.add_subcommand(
        "array", "Spread a command over the machines of a Slurm cluster, or over the cores here: "
                 "headscope array --parts 64 -- sweep --prompts FILE … --json RESULT");
    constexpr int kMost = 1'000'000;
    command
        .add_option("command", arguments->command,
                    "After --: sweep, circuit, metrics, run or compare over a set of prompts, with all "
                    "options but --shard; "
                    "--json, --csv and --npz name the joined result")
        ->type_name("WORDS");
    command.add_option("--parts", arguments->parts, "How many parts to cut the file into")
        ->check(CLI::Range(1, kMost))
        ->type_name("N");
    command.add_option("--folder", arguments->folder, "Where plan, parts and logs are")
        ->capture_default_str()
        ->type_name("DIR");
    command
        .add_option_function<std::string>(
            "--scheduler",
            [arguments](const std::string& word) {
                arguments->scheduler = chosenBy<Scheduler>(word, "scheduler");
            },
            "slurm, or local: the cores of this machine; by default slurm where there is sbatch")
        ->check(CLI::IsMember(allWords<Scheduler>()));
    command
        .add_option("--jobs", arguments->jobs,
                    "Most parts at once; by default up to Slurm, here as many as cores and memory allow")
        ->check(CLI::Range(1, kMost))
        ->type_name("N");
    command
        .add_option("--sbatch", arguments->sbatch,
                    "Options for Slurm: --sbatch=\"--gres=gpu:1 --time=2:00:00\"; may be repeated")
        ->allow_extra_args(false)
        ->type_name("OPTIONS");
    command.add_option("--retries", arguments->retries, "How often failed parts are started again (1)")
        ->check(CLI::Range(0, 100))
        ->type_name("N");
    command.add_flag("--dry-run", arguments->isDryRun,
                     "Print what would be submitted or run, and do nothing");
    command.add_flag("--status", arguments->isStatus, "Which parts are done, queued and missing");
    command.add_flag("--resume", arguments->isResumed, "Do the parts that are missing, then join all");
    command.add_flag("--merge", arguments->isMerge, "Join the parts, or name those that are missing");
    command
        .add_option("--part", arguments->part,
                    "Do this part, as a task of the array does; nothing if it is done")
        ->check(CLI::Range(1, kMost))
        ->type_name("N");
    command.callback([arguments, &action] {
        check(*arguments);
        action = [arguments] { run(*arguments); };
    });
}

}  // namespace hs::app
