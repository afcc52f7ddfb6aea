#pragma once

#include "remote/daemon.h"

#include <CLI/CLI.hpp>

#include <functional>

namespace hs::app {

/// `headscope serve`, and the small program headscope-serve, which does the same without the engine's libraries: it
/// starts at once, which every connection waits for.
struct ServeArguments {
    bool isStdio = false;
    bool isDaemon = false;
    bool isStatus = false;
    bool isStopped = false;
    double graceMinutes = 180;
    double restMinutes = 10;
};

void addServeOptions(CLI::App& command, ServeArguments& arguments);

/// `daemon` serves until it ends. Throws Failure.
void serve(const ServeArguments& arguments, const std::function<void(const remote::DaemonOptions&)>& daemon);

/// The program that has the engine, which lies beside this one.
std::string engineProgram();

}  // namespace hs::app
