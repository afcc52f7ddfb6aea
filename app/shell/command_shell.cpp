#include "app/support/commands.h"

#include "app/shell/shell_texts.h"
#include "app/support/output.h"

#include <map>
#include <memory>

namespace hs::app {
namespace {

using Writer = std::string (*)(const ProgramFacts&);

const std::map<std::string, Writer> kShells = {
    {"bash", bashCompletion}, {"fish", fishCompletion}, {"zsh", zshCompletion}};

}  // namespace

void addShellCommands(CLI::App& app, Action& action)
{
    auto shell = std::make_shared<std::string>();
    CLI::App& completion =
        *app.add_subcommand("completion", "Print what makes a shell complete commands and options");
    completion.add_option("shell", *shell, "Which shell")
        ->required()
        ->check(CLI::IsMember({"bash", "zsh", "fish"}));
    completion.callback([shell, &app, &action] {
        action = [shell, &app] { writeOutput("-", kShells.at(*shell)(programFacts(app))); };
    });

    CLI::App& manual = *app.add_subcommand("manual", "Print the manual page; man -l shows it");
    manual.callback(
        [&app, &action] { action = [&app] { writeOutput("-", manualPage(programFacts(app))); }; });
}

}  // namespace hs::app
