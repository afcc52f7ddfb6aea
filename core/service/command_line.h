#pragma once

#include "service/side_request.h"

#include <string>
#include <vector>

namespace hs::service {

/// Why no command says something, with what could be asked instead. Throws Failure.
[[noreturn]] void refuseCommand(const std::string& reason);

/// What is done to heads, as --ablate takes it; refuses what that cannot say.
std::string changeWords(const SideRequest& side);

/// A line for a shell in the making.
class CommandLine {
public:
    explicit CommandLine(const std::string& command) : m_words{"headscope", command} {}
    /// About one model, one prompt and what is changed in the run.
    CommandLine(const std::string& command, const SideRequest& side);

    void add(const std::string& flag) { m_words.push_back(flag); }
    void add(const std::string& option, const std::string& value);
    void addUnless(const std::string& usual, const std::string& option, const std::string& value);

    /// Which model computes, and on which machine. Two models are of one machine.
    void addModel(const std::string& option, const OpenModel& model);
    /// How it computes.
    void addPlace(const OpenRequest& request);
    void addPrompt(const SideRequest& side);
    void addBos(const SideRequest& side);
    void addInterventions(const SideRequest& side);

    void addTarget(const SideRequest& side);
    void addVersus(const SideRequest& side);
    void addPosition(const SideRequest& side);

    /// What the command reads from standard input.
    void setInput(const std::string& text) { m_input = text; }

    std::string text() const;

private:
    std::vector<std::string> m_words;
    std::vector<std::string> m_hosts;  // of the models; empty: this machine
    std::string m_input;
};

}  // namespace hs::service
