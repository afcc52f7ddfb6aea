#include "app/array/local_parts.h"

#include "app/array/array_parts.h"
#include "app/array/spread_command.h"
#include "app/support/messages.h"
#include "base/child_process.h"
#include "base/failure.h"
#include "base/hooks.h"
#include "base/shell_words.h"
#include "base/system_memory.h"
#include "engine/device/device.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <memory>
#include <mutex>
#include <thread>

namespace hs::app {
namespace {

constexpr std::uint64_t kBesideWeights = std::uint64_t{1} << 30;  // bytes a process takes for all else

std::string localLog(const ArrayPlan& plan, int part)
{
    return (plan.folder / "logs" / ("local_" + std::to_string(part) + ".out")).string();
}

std::string lastLineOf(const std::string& file)
{
    std::ifstream lines(file);
    std::string last;
    for (std::string line; std::getline(lines, line);)
        if (!line.empty())
            last = line;
    return last;
}

int runOne(const ArrayPlan& plan, int part, const LocalRoom& room, const std::stop_token& stop)
{
    const std::string log = localLog(plan, part);
    const std::unique_ptr<FILE, int (*)(FILE*)> file(std::fopen(log.c_str(), "ae"), std::fclose);
    if (!file)
        fail(ErrorCode::BadFile, log + " cannot be written; check that you may write there.");
    return runChild(
        {programFile(), "array", "--folder", plan.folder.string(), "--part", std::to_string(part)},
        {"OMP_NUM_THREADS=" + std::to_string(room.threads)}, fileno(file.get()), fileno(file.get()), stop);
}

/// Each part once.
void runAll(const ArrayPlan& plan, const std::vector<int>& parts, const std::stop_token& stop)
{
    const LocalRoom room = localRoom(plan);
    say("Doing " + std::to_string(parts.size()) + " of " + std::to_string(plan.parts) + " parts here, " +
        std::to_string(room.jobs) + " at a time, threads for each: " + std::to_string(room.threads) + ".");
    ProgressLine progress("Part");
    const Hooks hooks{progress.callback(), stop};
    std::mutex mutex;
    std::size_t next = 0;
    int done = plan.parts - static_cast<int>(parts.size());
    const auto work = [&] {
        std::unique_lock lock(mutex);
        while (next < parts.size() && !stop.stop_requested()) {
            const int part = parts[next++];
            hooks.report(done, plan.parts);
            lock.unlock();
            const Result<int> code = guarded([&] { return runOne(plan, part, room, stop); });
            lock.lock();
            ++done;
            if ((!code || *code != 0) && !stop.stop_requested())
                say("Part " + std::to_string(part) + " failed: " +
                    (!code         ? code.error().message
                     : *code > 128 ? "it was killed by signal " + std::to_string(*code - 128) + "."
                                   : lastLineOf(localLog(plan, part))));
        }
    };
    std::vector<std::jthread> slots;
    for (int slot = 0; slot < std::min(room.jobs, static_cast<int>(parts.size())); ++slot)
        slots.emplace_back(work);
}

}  // namespace

LocalRoom localRoom(const ArrayPlan& plan)
{
    const int cores = std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
    const char* const wanted = std::getenv("OMP_NUM_THREADS");
    const int threads = std::clamp(wanted ? std::atoi(wanted) : 0, 0, cores);
    int jobs = plan.jobs;
    if (jobs == 0) {
        const auto devices = engine::chooseDevices(SpreadCommand(plan.command).value("--device"));
        const std::uint64_t fit = availableMemory().value_or(0) / (plan.inputs.weightBytes + kBesideWeights);
        const bool isOnGpu = devices && devices->devices.front().isCuda();
        jobs = isOnGpu ? 1 : std::clamp<int>(static_cast<int>(fit), 1, cores / std::max(1, threads));
    }
    if (threads > 0)
        return {jobs, threads};
    // A part alone takes the threads of a plain run, which decide how its sums are rounded.
    return {jobs, std::clamp(cores / std::min(jobs, plan.parts), 1, engine::processorThreads())};
}

void runHere(const ArrayPlan& plan, std::vector<int> parts)
{
    const std::stop_token stop = interruptToken();  // first, so that all threads leave the signals to it
    for (int attempt = 0; !parts.empty(); ++attempt) {
        runAll(plan, parts, stop);
        parts = missingParts(plan);
        if (stop.stop_requested())
            fail(ErrorCode::Cancelled,
                 "Stopped with " + std::to_string(plan.parts - static_cast<int>(parts.size())) + " of " +
                     std::to_string(plan.parts) + " parts done; go on with " +
                     shellLine({"headscope", "array", "--resume", "--folder", plan.folder.string()}) + ".");
        // Where nothing succeeds, doing it again does not help.
        if (attempt >= plan.retries || static_cast<int>(parts.size()) == plan.parts)
            return;
        if (!parts.empty())
            say("Trying again: " + rangesOf(parts) + ".");
    }
}

}  // namespace hs::app
