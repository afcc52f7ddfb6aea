#include "app/remote/host_option.h"

#include "app/remote/far_command.h"
#include "app/support/arguments.h"
#include "base/failure.h"

#include <algorithm>
#include <array>

namespace hs::app {
namespace {

// What is about this machine or its files alone, or has an option of its own.
constexpr auto kStaysHere = std::to_array<std::string_view>(
    {"merge", "serve", "commands", "manual", "completion", "reference", "figure"});

}  // namespace

HostOption::HostOption(CLI::App& app)
{
    for (CLI::App* const command : app.get_subcommands({}))
        if (!command->get_name().empty() && std::ranges::count(kStaysHere, command->get_name()) == 0)
            addHostOption(*command, m_host);
}

void HostOption::redirect(const CLI::App& app, const std::vector<std::string>& words, Action& action,
                          int& exitCode) const
{
    if (!action || app.get_subcommands().empty())
        return;
    if (const CLI::Option* const ofWindow = app.get_option_no_throw("--host");
        ofWindow && ofWindow->count() > 0)
        action = [] {
            fail(ErrorCode::BadRequest, "Write --host after the command: headscope run --host user@gpu …");
        };
    if (m_host.empty())
        return;
    const CLI::App* const command = app.get_subcommands().front();
    action = [this, command, words, &exitCode] {
        exitCode = runFarCommand(m_host, farCommandLine(*command, words));
    };
}

}  // namespace hs::app
