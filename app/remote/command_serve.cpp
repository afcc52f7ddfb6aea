#include "app/support/commands.h"

#include "app/remote/serve.h"
#include "app/remote/serve_handler.h"
#include "base/child_process.h"
#include "engine/device/device.h"
#include "remote/state_folder.h"

#include <unistd.h>

#include <cstdlib>
#include <memory>
#include <mutex>

namespace hs::app {
namespace {

std::string devicesHere()
{
    const Result<engine::DeviceChoice> devices = engine::chooseDevices("auto");
    return devices ? engine::describe(*devices) : std::string();
}

void runEngine(remote::DaemonOptions options)
{
    // Relative paths of clients are below the home, wherever the first of them came from.
    if (const char* const home = std::getenv("HOME"); !home || chdir(home) != 0) [[maybe_unused]]
        const int root = chdir("/");
    const std::filesystem::path jobs = options.folder / "jobs";
    options.hello.devices = devicesHere();
    std::once_flag tidied;
    remote::runDaemon(options, [&]() -> std::unique_ptr<remote::Handler> {
        std::call_once(tidied, [&] {  // this daemon is the only one now
            removeFolder(jobs);
        });
        return std::make_unique<ServeHandler>(programFile(), jobs);
    });
}

}  // namespace

void addServeCommand(CLI::App& app, Action& action)
{
    auto arguments = std::make_shared<ServeArguments>();
    CLI::App& command = *app.add_subcommand(
        "serve", "Serve other machines: what headscope --host user@this-machine starts here by ssh");
    addServeOptions(command, *arguments);
    command.callback([arguments, &action] { action = [arguments] { serve(*arguments, runEngine); }; });
}

}  // namespace hs::app
