#pragma once

#include "app/support/part_file.h"
#include "base/enum_words.h"
#include "base/json.h"

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace hs::app {

/// Who runs the parts of an array.
enum class Scheduler { Slurm, Local };

constexpr auto enumWords(Scheduler)
{
    return std::to_array<EnumWord<Scheduler>>({{Scheduler::Slurm, "slurm"}, {Scheduler::Local, "local"}});
}

/// The files and the program that a command's results depend on.
struct ArrayInputs {
    int lines = 0;                    // of the file of prompts
    std::string prompts;              // hash of its content
    std::vector<std::string> models;  // see model::fingerprintOf
    std::uint64_t weightBytes = 0;    // of all models, on disk
    std::string version;              // of this program

    friend bool operator==(const ArrayInputs&, const ArrayInputs&) = default;
};

/// A command over a file of prompts that is cut into parts, each of which a task of its own does. Lies in a
/// folder as plan.json, beside parts/, logs/ and job.sh.
struct ArrayPlan {
    std::filesystem::path folder;      // absolute
    std::string directory;             // where relative paths of the command start
    std::vector<std::string> command;  // its words, without --json, --csv and --npz
    OutputFiles files;                 // where the joined result goes
    int parts = 1;
    ArrayInputs inputs;
    Scheduler scheduler = Scheduler::Local;
    std::vector<std::string> sbatch;  // options of Slurm, each as it stands on a line #SBATCH
    int jobs = 0;                     // most parts at once; 0: as many as there is room for
    int retries = 1;                  // how often failed parts are started again

    /// Tells what the parts hold: plans of one identity have the same parts.
    std::string identity() const;
    std::filesystem::path partFile(int part) const;
};

/// A plan for these words of a command, from the current folder. Throws Failure, or CLI::ParseError where
/// they make no command.
ArrayPlan planArray(const std::filesystem::path& folder, const std::vector<std::string>& words, int parts);

/// Fails if prompts, models or program are no longer those of the plan.
void requireUnchanged(const ArrayPlan& plan);

bool hasPlan(const std::filesystem::path& folder);
ArrayPlan readPlan(const std::filesystem::path& folder);
void writePlan(const ArrayPlan& plan);

}  // namespace hs::app
