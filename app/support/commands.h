#pragma once

#include <CLI/CLI.hpp>

#include <functional>
#include <string>
#include <vector>

namespace hs::app {

/// Each adds one subcommand and, if the user chose it, sets `action` to what it does. Actions throw
/// Failure, which main reports.
using Action = std::function<void()>;

void addRunCommand(CLI::App& app, Action& action);
void addTokenizeCommand(CLI::App& app, Action& action);
void addMemoryCommand(CLI::App& app, Action& action);
void addMetricsCommand(CLI::App& app, Action& action);
void addAttributeCommand(CLI::App& app, Action& action);
void addLensCommand(CLI::App& app, Action& action);
void addHeadsCommand(CLI::App& app, Action& action);
void addEdgesCommand(CLI::App& app, Action& action);
void addCompareCommand(CLI::App& app, Action& action);
void addCheckCommand(CLI::App& app, Action& action);
void addSweepCommand(CLI::App& app, Action& action);
void addCircuitCommand(CLI::App& app, Action& action);
void addScatterCommand(CLI::App& app, Action& action);
void addFlowCommand(CLI::App& app, Action& action);
void addPairsCommand(CLI::App& app, Action& action);
void addMergeCommand(CLI::App& app, Action& action);
void addArrayCommand(CLI::App& app, Action& action);
void addTrainCommand(CLI::App& app, Action& action);
void addSparsifyCommand(CLI::App& app, Action& action);
void addFeaturesCommand(CLI::App& app, Action& action);
void addGraphCommand(CLI::App& app, Action& action);
void addTranscodeCommand(CLI::App& app, Action& action);
void addDemoCommand(CLI::App& app, Action& action);
/// Does what the words after the program's name say; its exit status.
using RunWords = std::function<int(const std::vector<std::string>&)>;
void addCommandsCommand(CLI::App& app, Action& action, RunWords runWords);
void addServeCommand(CLI::App& app, Action& action);
void addBenchCommand(CLI::App& app, Action& action);
/// Manual page and shell completion, generated from what the others declare.
void addShellCommands(CLI::App& app, Action& action);
/// Prints every command of `app` as a page of the guide.
void addReferenceCommand(CLI::App& app, Action& action);
#ifdef HS_WITH_UI
void addFigureCommand(CLI::App& app, Action& action);
void addViewCommand(CLI::App& app, Action& action);
/// The window, which opens when no subcommand is given.
void addDesktop(CLI::App& app, Action& action);
#endif

}  // namespace hs::app
