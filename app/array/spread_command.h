#pragma once

#include "app/support/commands.h"

#include <string>
#include <vector>

namespace hs::app {

/// A command over a file of prompts, as it is written after `headscope array … --`.
class SpreadCommand {
public:
    /// Throws CLI::ParseError where the words make no such command.
    explicit SpreadCommand(std::vector<std::string> words);

    /// What an option was given, or its default.
    std::string value(const std::string& option) const;
    /// The option that names the file of prompts.
    const char* fileOption() const;
    /// How many prompts the file has, faulty ones counted. Throws Failure.
    int lineCount() const;
    void run() const { m_action(); }

private:
    CLI::App m_app;
    CLI::App* m_chosen = nullptr;
    Action m_action;
};

}  // namespace hs::app
