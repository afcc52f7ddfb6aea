#pragma once

#include "remote/handler.h"
#include "remote/hello.h"
#include "remote/limits.h"

#include <chrono>
#include <filesystem>
#include <stop_token>

namespace hs::remote {

/// Where this user's daemon of this machine has its socket, lock and log: HEADSCOPE_STATE, else
/// ~/.local/state/headscope/HOST, else /tmp/headscope-UID.
std::filesystem::path stateFolder();

/// The daemon's socket in its folder; differs for each major version of the protocol.
std::filesystem::path socketIn(const std::filesystem::path& folder);
std::filesystem::path logIn(const std::filesystem::path& folder);

struct DaemonOptions {
    std::filesystem::path folder = stateFolder();
    std::chrono::milliseconds grace = std::chrono::hours(3);  // without a client and without work
    std::chrono::milliseconds rest = std::chrono::minutes(10);
    std::chrono::milliseconds look = std::chrono::seconds(10);  // between looks whether the socket is there
    Hello hello = Hello::ours();  // `build` and `devices` are the caller's to fill in
    Limits limits;
    std::stop_token stop;
};

/// Serves this user's clients until it is stopped (SIGTERM, `stop`, the request of `stopDaemon`) or alone for
/// `grace`. Returns 0 at once if another daemon serves the folder already. Throws Failure if the folder is not
/// this user's alone.
int runDaemon(const DaemonOptions& options, const MakeHandler& makeHandler);

}  // namespace hs::remote
