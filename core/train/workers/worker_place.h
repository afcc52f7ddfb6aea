#pragma once

#include "base/result.h"

#include <map>
#include <string>

namespace hs::train {

/// Where this process stands among the workers that train one model together, and where they meet.
struct WorkerPlace {
    int rank = 0;
    int count = 1;
    int localRank = 0;    // among those on this machine: chooses the GPU
    std::string address;  // of the first worker's machine; empty: this process works alone
    int port = 0;

    bool isAlone() const { return address.empty(); }
    bool isFirst() const { return rank == 0; }  // the one that writes and speaks
    friend bool operator==(const WorkerPlace&, const WorkerPlace&) = default;
};

using Variables = std::map<std::string, std::string>;

/// The place that torchrun's variables give (RANK, WORLD_SIZE, LOCAL_RANK, MASTER_ADDR, MASTER_PORT), else
/// those of a step that Slurm's srun started; a process with neither is alone. What is missing, contradicts
/// itself or is no number is an error.
Result<WorkerPlace> workerPlace(const Variables& environment);

/// The first host of a list as Slurm writes it: "gpu007" of "gpu[007-009,12],login".
std::string firstHost(const std::string& nodeList);

/// The variables of this process.
Variables environmentVariables();

}  // namespace hs::train
