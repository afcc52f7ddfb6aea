#pragma once

#include "base/result.h"
#include "remote/tree.h"

#include <sys/types.h>

#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace hs::remote {

/// Starts a daemon and returns its number: a process in a session of its own, with nothing to read and its output
/// in the folder's log. Throws Failure.
pid_t startDaemon(const std::filesystem::path& folder, const std::vector<std::string>& words);

/// `headscope serve --stdio`: finds the daemon, or starts it and waits until it listens, and copies between it
/// and standard input and output until either ends. Returns the exit code; throws Failure, with the daemon's
/// last words if it does not come up. Needs no engine.
int serveStdio(const std::filesystem::path& folder, const std::function<pid_t()>& start, int in = 0,
               int out = 1);

/// What the daemon says about itself: "pid", "version", "devices", "clients", "sessions", "running", "seconds",
/// "keptBytes". NotFound if there is none.
Result<Tree> daemonStatus(const std::filesystem::path& folder);

/// Asks the daemon to end and waits until it has. NotFound if there is none.
Result<Tree> stopDaemon(const std::filesystem::path& folder);

}  // namespace hs::remote
