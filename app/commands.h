#pragma once

#include <CLI/CLI.hpp>

#include <functional>

namespace hs {

/// Each adds one subcommand; `run` is set to what it does when the user chose it. The body throws
/// Failure; main says it.
using Action = std::function<void()>;

void addRunCommand(CLI::App& app, Action& action);
void addTokenizeCommand(CLI::App& app, Action& action);
void addMetricsCommand(CLI::App& app, Action& action);
void addBenchCommand(CLI::App& app, Action& action);
#ifdef HS_WITH_UI
void addFigureCommand(CLI::App& app, Action& action);
void addDesktop(CLI::App& app, Action& action, int& argumentCount, char** arguments);
#endif

}  // namespace hs
