#include "app/array/slurm.h"

#include "app/array/array_parts.h"
#include "app/support/messages.h"
#include "app/support/output.h"
#include "base/child_process.h"
#include "base/failure.h"
#include "base/shell_words.h"

#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <sstream>

namespace hs::app {
namespace {

/// Every array that was submitted, one id a line.
std::filesystem::path jobList(const ArrayPlan& plan)
{
    return plan.folder / "jobs";
}

std::string scriptFile(const ArrayPlan& plan)
{
    return (plan.folder / "job.sh").string();
}

/// Slurm replaces what follows a percent sign.
std::string logPattern(const ArrayPlan& plan, const std::string& name)
{
    std::string pattern = "--output=";
    for (const char letter : (plan.folder / "logs/").string())
        pattern += letter == '%' ? "%%" : std::string(1, letter);
    return pattern + name;
}

std::string joinedBy(const std::string& between, const std::set<std::string>& words)
{
    std::string text;
    for (const std::string& word : words)
        text += (text.empty() ? "" : between) + word;
    return text;
}

/// The id that sbatch prints, which may be followed by the name of a cluster.
std::string submitted(const std::vector<std::string>& words)
{
    const ChildOutput output = outputOf(words);
    if (output.exitCode != 0)
        fail(ErrorCode::BadRequest, "Slurm refused the job (" + output.err.substr(0, output.err.find('\n')) +
                                        "); correct what --sbatch gives it, or use --scheduler local.");
    return output.out.substr(0, output.out.find_first_of(";\n"));
}

}  // namespace

bool hasSlurm()
{
    std::istringstream folders(std::getenv("PATH") ? std::getenv("PATH") : "");
    for (std::string folder; std::getline(folders, folder, ':');)
        if (access((folder + "/sbatch").c_str(), X_OK) == 0)
            return true;
    return false;
}

std::string jobScript(const ArrayPlan& plan, const std::string& program)
{
    std::string script = "#!/bin/bash\n"
                         "# Written by headscope array. A task of the array does one part.\n"
                         "#SBATCH --job-name=headscope-" +
                         plan.command.front() +
                         "\n"
                         "#SBATCH --open-mode=append\n";
    for (const std::string& options : plan.sbatch)
        script += "#SBATCH " + options + "\n";
    const std::string array = shellLine({program, "array", "--folder", plan.folder.string()});
    return script +
           "set -u\n"
           "export OMP_NUM_THREADS=${SLURM_CPUS_PER_TASK:-${SLURM_CPUS_ON_NODE:-1}}\n"
           "if [ \"${1-}\" = merge ]; then\n"
           "    exec " +
           array +
           " --merge --retries \"$2\"\n"
           "fi\n"
           "exec " +
           array + " --part \"$SLURM_ARRAY_TASK_ID\"\n";
}

std::vector<std::string> arrayJob(const ArrayPlan& plan, const std::vector<int>& parts)
{
    const std::string atOnce = plan.jobs > 0 ? "%" + std::to_string(plan.jobs) : "";
    return {"sbatch", "--parsable", "--array=" + rangesOf(parts) + atOnce, logPattern(plan, "%A_%a.out"),
            scriptFile(plan)};
}

std::vector<std::string> mergeJob(const ArrayPlan& plan, const std::set<std::string>& jobs, int retries)
{
    return {"sbatch",
            "--parsable",
            "--dependency=afterany:" + joinedBy(":", jobs),
            logPattern(plan, "merge_%j.out"),
            scriptFile(plan),
            "merge",
            std::to_string(retries)};
}

QueuedParts queuedParts(const ArrayPlan& plan)
{
    QueuedParts queued;
    std::set<std::string> jobs;
    std::ifstream list(jobList(plan));
    for (std::string job; std::getline(list, job);)
        jobs.insert(job);
    if (jobs.empty() || !hasSlurm())
        return queued;
    // Slurm fails for a job that it has forgotten, and prints nothing then.
    std::istringstream lines(outputOf({"squeue", "-h", "-r", "-o", "%F %K", "-j", joinedBy(",", jobs)}).out);
    std::string job;
    for (int part = 0; lines >> job >> part;) {
        queued.parts.insert(part);
        queued.jobs.insert(job);
    }
    return queued;
}

void submitParts(const ArrayPlan& plan, std::vector<int> parts, int retries)
{
    QueuedParts queued = queuedParts(plan);
    std::erase_if(parts, [&](int part) { return queued.parts.contains(part); });
    if (parts.empty()) {
        say("All that is missing is still queued or running: jobs " + joinedBy(", ", queued.jobs) + ".");
        return;
    }
    writeOutput(scriptFile(plan), jobScript(plan, programFile()));
    const std::string job = submitted(arrayJob(plan, parts));
    std::ofstream(jobList(plan), std::ios::app) << job << "\n";
    queued.jobs.insert(job);
    const std::string merge = submitted(mergeJob(plan, queued.jobs, retries));
    say("Submitted part" + std::string(parts.size() == 1 ? " " : "s ") + rangesOf(parts) + " of " +
        std::to_string(plan.parts) + " as job " + job + ", and what joins them as job " + merge + "; " +
        shellLine({"headscope", "array", "--status", "--folder", plan.folder.string()}) +
        " says how far they are.");
}

}  // namespace hs::app
