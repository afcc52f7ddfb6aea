#pragma once

#include "app/remote/far_files.h"
#include "remote/connection.h"

#include <functional>
#include <stop_token>
#include <string_view>

namespace hs::app {

/// What a command on another machine needs of this one.
struct FarTerminal {
    std::function<void(std::string_view)> out;  // takes what it prints
    std::function<void(std::string_view)> err;
    int input = 0;           // what it may read as standard input
    bool isWatched = false;  // progress is worth showing
    std::stop_token stop;    // Ctrl-C: it is told, and ends in its own way
};

/// Runs a command there and brings back what it wrote; its exit code. A lost line is opened again, and the command
/// goes on meanwhile; if the daemon itself has ended, the command runs anew, and what was printed is not printed
/// twice. Throws Failure.
int runFarCommand(remote::Connection& connection, const std::string& host, const FarCommandLine& line,
                  const FarTerminal& terminal);

/// The same by ssh, with this program's standard input, output and error.
int runFarCommand(const std::string& host, const FarCommandLine& line);

}  // namespace hs::app
