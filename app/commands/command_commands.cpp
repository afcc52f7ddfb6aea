#include "app/support/commands.h"

#include "app/support/messages.h"
#include "app/support/workspace.h"
#include "base/failure.h"
#include "base/json_reader.h"

#include <iostream>

namespace hs::app {
namespace {

constexpr char kCommandEnd = '\x1e';  // before the exit status of a command

/// The words of ["run", "--model", "demo:dense"].
std::vector<std::string> wordsOf(const std::string& line)
{
    const Json json = Json::parse(line, nullptr, /*allow_exceptions=*/false);
    const JsonReader reader(json, "The command", "write it as a JSON array of its words");
    std::vector<std::string> words;
    for (const JsonReader& word : reader.items())
        words.push_back(word.text());
    return words;
}

/// Until there are no more, or one was stopped.
void runCommands(const RunWords& runWords)
{
    keepModels(true);
    const std::stop_token stop = interruptToken();
    for (std::string line; !stop.stop_requested() && std::getline(std::cin, line);) {
        int status = 0;
        const int failed = exitStatusOf([&] { status = runWords(wordsOf(line)); });
        std::cerr << std::flush;
        std::cout << kCommandEnd << (failed != 0 ? failed : status) << '\n' << std::flush;
    }
    keepModels(false);  // while libtorch is still there
}

}  // namespace

void addCommandsCommand(CLI::App& app, Action& action, RunWords runWords)
{
    CLI::App& command = *app.add_subcommand(
        "commands",
        "Run commands that come in, each a line with a JSON array of its words, and keep models open "
        "between them; headscope.load in Python does so");
    command.callback(
        [runWords = std::move(runWords), &action] { action = [runWords] { runCommands(runWords); }; });
}

}  // namespace hs::app
