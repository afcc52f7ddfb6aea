#pragma once

#include "remote/line.h"

#include <string>
#include <vector>

namespace hs::remote {

struct SshTarget {
    std::string host;        // as ssh takes it: user@gpu, or a name from the user's config
    std::string farCommand;  // for the login shell there; empty: HEADSCOPE_FAR_COMMAND, else the usual one
};

/// What is started for a target: HEADSCOPE_SSH or ssh, and its arguments. Throws Failure for a host that ssh
/// could take for an option.
std::vector<std::string> sshWords(const SshTarget& target);

/// Starts ssh. It has not connected when this returns; what goes wrong is told by `ending`. Throws Failure.
std::unique_ptr<Line> openSshLine(const SshTarget& target);

}  // namespace hs::remote
