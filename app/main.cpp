#include "app/remote/host_option.h"
#include "app/support/commands.h"
#include "app/support/far_job.h"
#include "app/support/messages.h"

#include <clocale>
#include <csignal>

namespace hs::app {
namespace {

int runProgram(int count, const char* const* arguments)
{
    CLI::App app("HeadScope: explorer for the attention heads of transformer language models.", "headscope");
    app.set_version_flag("--version", "headscope " HS_VERSION);
    app.require_subcommand(0, 1);

    Action action;
    addRunCommand(app, action);
    addTokenizeCommand(app, action);
    addMemoryCommand(app, action);
    addMetricsCommand(app, action);
    addAttributeCommand(app, action);
    addLensCommand(app, action);
    addHeadsCommand(app, action);
    addEdgesCommand(app, action);
    addCompareCommand(app, action);
    addCheckCommand(app, action);
    addSweepCommand(app, action);
    addCircuitCommand(app, action);
    addScatterCommand(app, action);
    addFlowCommand(app, action);
    addPairsCommand(app, action);
    addMergeCommand(app, action);
    addArrayCommand(app, action);
    addTrainCommand(app, action);
    addSparsifyCommand(app, action);
    addTranscodeCommand(app, action);
    addFeaturesCommand(app, action);
    addGraphCommand(app, action);
    addDemoCommand(app, action);
    addBenchCommand(app, action);
    addServeCommand(app, action);
    addCommandsCommand(app, action, [](const std::vector<std::string>& words) {
        std::vector<const char*> all = {"headscope"};
        for (const std::string& word : words)
            all.push_back(word.c_str());
        return runProgram(static_cast<int>(all.size()), all.data());
    });
    addShellCommands(app, action);
#ifdef HS_WITH_UI
    addFigureCommand(app, action);
    addViewCommand(app, action);
    addDesktop(app, action);
#endif
    addReferenceCommand(app, action);
    const HostOption host(app);
    try {
        app.parse(count, arguments);
    } catch (const CLI::ParseError& error) {
        static constexpr int kUsage = 2;
        return app.exit(error) == 0 ? 0 : kUsage;
    }
    if (!action) {
        std::cerr << app.help();
        return 2;
    }
    int exitCode = 0;
    host.redirect(app, {arguments + 1, arguments + count}, action, exitCode);
    const int failed = exitStatusOf(action);
    return failed != 0 ? failed : exitCode;
}

}  // namespace
}  // namespace hs::app

int main(int count, char** arguments)
{
    hs::app::endWithDaemon();
    std::setlocale(LC_NUMERIC, "C");
    std::signal(SIGPIPE, SIG_IGN);
    return hs::app::runProgram(count, arguments);
}
