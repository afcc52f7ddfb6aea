#pragma once

#include <string>
#include <vector>

namespace hs::app {

// A command may run for somebody on another machine, as a process of the daemon.

/// What tells a process that it is such a command: variables, NAME=value. `hasTerminal`: there is somebody who
/// watches its progress.
std::vector<std::string> farJobEnvironment(bool hasTerminal, bool isDebugged);

/// Makes such a command end with its daemon, since nobody could fetch what it finds. Called first of all.
void endWithDaemon();

/// Throws a Failure that names the way to a compute node, if this is a cluster's login node and the model is
/// too large for one. Only for work from another machine: whoever types on a login node knows where he is.
void requireComputeNode(const std::string& model);
/// The same for a command, which is refused only if it runs for another machine.
void requireComputeNodeIfFar(const std::string& model);

}  // namespace hs::app
