#pragma once

#include "app/support/commands.h"

#include <string>
#include <vector>

namespace hs::app {

/// `--host` of every command that can run on another machine, and of those that draw here what is computed
/// there, which see to it themselves.
class HostOption {
public:
    /// After all commands were added.
    explicit HostOption(CLI::App& app);

    /// Once the words were parsed: makes the action the same command on that machine, if one was named.
    /// `exitCode` becomes the command's there.
    void redirect(const CLI::App& app, const std::vector<std::string>& words, Action& action,
                  int& exitCode) const;

private:
    std::string m_host;
};

}  // namespace hs::app
