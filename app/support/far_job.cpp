#include "app/support/far_job.h"

#include "app/support/messages.h"
#include "base/failure.h"
#include "base/text_format.h"
#include "engine/device/device.h"
#include "model/adapter/adapter_files.h"

#include <sys/prctl.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <sstream>

namespace hs::app {
namespace {

constexpr const char* kJob = "HEADSCOPE_JOB";  // the daemon's process
constexpr std::uint64_t kLoginNodeBytes = 1'000'000'000;

bool isInPath(const std::string& program)
{
    const char* const path = std::getenv("PATH");
    std::istringstream folders(path ? path : "");
    for (std::string folder; std::getline(folders, folder, ':');)
        if (access((folder + "/" + program).c_str(), X_OK) == 0)
            return true;
    return false;
}

/// Where many people share a few cores, and jobs are sent from.
bool isLoginNode()
{
    if (std::getenv("SLURM_JOB_ID") || !isInPath("sinfo"))
        return false;
    const Result<engine::Device> device = engine::chooseDevice("auto");
    return !device || !device->isCuda();
}

}  // namespace

std::vector<std::string> farJobEnvironment(bool hasTerminal, bool isDebugged)
{
    std::vector<std::string> variables = {kJob + ("=" + std::to_string(getpid()))};
    if (hasTerminal)
        variables.push_back(std::string(kWatched) + "=1");
    if (isDebugged)
        variables.emplace_back("HEADSCOPE_DEBUG=1");
    return variables;
}

void endWithDaemon()
{
    const char* const daemon = std::getenv(kJob);
    if (daemon && std::to_string(getppid()) == daemon)  // what the command starts belongs to the command
        prctl(PR_SET_PDEATHSIG, SIGTERM);
}

void requireComputeNode(const std::string& model)
{
    if (!isLoginNode())
        return;
    std::uint64_t bytes = 0;
    if (const auto files = model::locateModelBehind(model))
        for (const std::filesystem::path& file : files->weights) {
            std::error_code problem;
            const std::uintmax_t size = std::filesystem::file_size(file, problem);
            bytes += problem ? 0 : size;
        }
    if (bytes > kLoginNodeBytes)
        fail(ErrorCode::TooLarge,
             model + " has " + formatBytes(bytes) +
                 ", too much for a login node that many people share; go to a compute node with "
                 "HEADSCOPE_FAR_COMMAND=\"exec srun -u --gres=gpu:1 headscope serve --stdio\".");
}

void requireComputeNodeIfFar(const std::string& model)
{
    if (std::getenv(kJob))
        requireComputeNode(model);
}

}  // namespace hs::app
