#pragma once

#include "analyses/set_study.h"
#include "app/support/arguments.h"
#include "app/support/part_file.h"
#include "app/support/workspace.h"

#include <optional>
#include <string>
#include <vector>

namespace hs::app {

/// Options of commands that work over a set of prompts, as the user typed them.
struct SetArguments {
    std::string prompts;
    std::string pattern;
    std::string shard = "1/1";
    std::string resume;
    std::optional<analyses::SetAlign> align;
    analyses::SetAverage average = analyses::SetAverage::Mean;
    double mapBudgetGigabytes = 4;

    std::uint64_t mapBudget() const { return static_cast<std::uint64_t>(mapBudgetGigabytes * 1e9); }
};

/// What names the set, after the options of a prompt, which it excludes.
void addSetOptions(CLI::App& command, SetArguments& arguments);
/// How maps of several prompts become one.
void addAverageOptions(CLI::App& command, SetArguments& arguments);

/// A command's work over a set.
struct SetTask {
    analyses::SetStudyKind kind = analyses::SetStudyKind::Metrics;
    std::vector<const engine::Workspace*> models;
    const SetArguments& set;
    bool withoutBos = false;
    const RunArguments& run;
    engine::Capture capture;
    Json about;  // the command and options of its own
    OutputFiles files;
};

/// Does it and writes what it finds, also if it is stopped. Throws Failure, LeftOut where some of the prompts are
/// faulty.
void runSetTask(const SetTask& task);

}  // namespace hs::app
