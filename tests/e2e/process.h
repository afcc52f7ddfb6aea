#pragma once

#include <spawn.h>
#include <sys/types.h>

#include <string>
#include <vector>

namespace hs::test {

/// Starts a program found in PATH, with this environment and what sanitizers and OpenMP are told. Throws
/// where it cannot.
pid_t startProcess(std::vector<std::string> words, std::vector<std::string> environment,
                   const posix_spawn_file_actions_t* actions = nullptr);

/// The exit code as a shell would report it: 128 + signal if it was killed.
int exitCodeOf(int status);

}  // namespace hs::test
