#pragma once

#include "app/array/array_plan.h"

#include <set>
#include <string>
#include <vector>

namespace hs::app {

/// Whether jobs can be submitted to Slurm from here.
bool hasSlurm();

/// The script of all jobs of a plan: one part for a task of an array, or joining them.
std::string jobScript(const ArrayPlan& plan, const std::string& program);

/// The command lines that submit parts, and what joins them once those jobs have ended, however they did.
std::vector<std::string> arrayJob(const ArrayPlan& plan, const std::vector<int>& parts);
std::vector<std::string> mergeJob(const ArrayPlan& plan, const std::set<std::string>& jobs, int retries);

/// What of a plan Slurm has not yet ended.
struct QueuedParts {
    std::set<int> parts;
    std::set<std::string> jobs;
};
QueuedParts queuedParts(const ArrayPlan& plan);

/// Submits those of the parts that are not queued, and the job that joins all and submits again, `retries`
/// times, what is missing by then.
void submitParts(const ArrayPlan& plan, std::vector<int> parts, int retries);

}  // namespace hs::app
