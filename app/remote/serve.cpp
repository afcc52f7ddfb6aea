#include "app/remote/serve.h"

#include "base/child_process.h"
#include "base/failure.h"
#include "remote/proxy.h"

#include <unistd.h>

#include <cmath>
#include <cstdio>

namespace hs::app {
namespace {

std::chrono::milliseconds duration(double minutes)
{
    return std::chrono::milliseconds(std::llround(minutes * 60'000));
}

std::string numberText(double number)
{
    char text[32];
    std::snprintf(text, sizeof text, "%.17g", number);
    return text;
}

void printStatus(const remote::Tree& status)
{
    const JsonReader told = remote::reader(status, "The daemon's status");
    const std::string devices = told["devices"].text("");
    std::printf("HeadScope %s on %s, process %.0f%s%s\n", told["version"].text().c_str(),
                told["machine"].text("").c_str(), told["pid"].number(), devices.empty() ? "" : ": ",
                devices.c_str());
    std::printf("clients %.0f, sessions %.0f, requests under way %.0f, started %.0f min ago\n",
                told["clients"].number(), told["sessions"].number(), told["running"].number(),
                told["seconds"].number() / 60);
}

}  // namespace

void addServeOptions(CLI::App& command, ServeArguments& arguments)
{
    CLI::App& verbs = *command.add_option_group("verb", "What to do");
    verbs.add_flag(
        "--stdio", arguments.isStdio,
        "Connect standard input and output with the daemon of this user, and start it first if there is "
        "none: what --host starts over ssh");
    verbs.add_flag("--daemon", arguments.isDaemon, "Be that daemon: the engine for connections to come");
    verbs.add_flag("--status", arguments.isStatus, "Print what the daemon does");
    verbs.add_flag("--stop", arguments.isStopped, "End the daemon and what it runs");
    verbs.require_option(1);
    command
        .add_option("--grace", arguments.graceMinutes,
                    "Minutes after which a daemon without clients and work ends")
        ->check(CLI::Range(0.01, 100000.0))
        ->capture_default_str()
        ->type_name("N");
    command
        .add_option("--rest", arguments.restMinutes,
                    "Minutes after which models leave the memory while no client is there")
        ->check(CLI::Range(0.01, 100000.0))
        ->capture_default_str()
        ->type_name("N");
}

std::string engineProgram()
{
    const std::filesystem::path beside = std::filesystem::path(programFile()).parent_path() / "headscope";
    return access(beside.c_str(), X_OK) == 0 ? beside.string() : "headscope";
}

void serve(const ServeArguments& arguments, const std::function<void(const remote::DaemonOptions&)>& daemon)
{
    remote::DaemonOptions options;
    options.grace = duration(arguments.graceMinutes);
    options.rest = duration(arguments.restMinutes);
    if (arguments.isDaemon)
        return daemon(options);
    if (arguments.isStatus)
        return printStatus(orThrow(remote::daemonStatus(options.folder)));
    if (arguments.isStopped) {
        orThrow(remote::stopDaemon(options.folder));
        return;
    }
    remote::serveStdio(options.folder, [&] {
        return remote::startDaemon(options.folder, {engineProgram(), "serve", "--daemon", "--grace",
                                                    numberText(arguments.graceMinutes), "--rest",
                                                    numberText(arguments.restMinutes)});
    });
}

}  // namespace hs::app
