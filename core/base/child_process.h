#pragma once

#include <sys/types.h>

#include <stop_token>
#include <string>
#include <vector>

namespace hs {

struct ChildHandles {
    int in = -1;  // none: there is nothing to read
    int out = -1;
    int err = -1;
};

enum class ChildTie {
    Terminal,         // as a shell starts it
    DeafToInterrupt,  // Ctrl-C is for this program alone
    OwnSession,       // it outlives the terminal
};

/// Starts a program, found in PATH, which the caller waits for. `environment` has NAME=value for what differs
/// from this program's. Throws Failure.
pid_t startChild(std::vector<std::string> words, const std::vector<std::string>& environment,
                 const ChildHandles& handles, ChildTie tie = ChildTie::Terminal);

/// Runs a program, found in PATH, to its end and returns its exit code, 128 + signal if it was killed.
/// The handles are its standard output and error. A stop asks it to end. Throws Failure where it cannot be started.
int runChild(const std::vector<std::string>& words, const std::vector<std::string>& environment, int out,
             int err, const std::stop_token& stop);

struct ChildOutput {
    int exitCode = 0;
    std::string out;
    std::string err;
};

/// Runs a program that prints little, and keeps that.
ChildOutput outputOf(const std::vector<std::string>& words);

/// This program's own file.
std::string programFile();

}  // namespace hs
