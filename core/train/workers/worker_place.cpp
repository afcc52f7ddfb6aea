#include "train/workers/worker_place.h"

#include "base/failure.h"

#include <unistd.h>

#include <charconv>
#include <optional>

namespace hs::train {
namespace {

constexpr int kMostWorkers = 65536;
constexpr int kLastPort = 65535;
// Ports that are derived from a job's number: above those of services, below those that systems hand out.
constexpr std::int64_t kFirstJobPort = 10000;
constexpr std::int64_t kJobPorts = 20000;

/// The variables of one launcher, whose `remedy` ends each complaint about them.
class Launch {
public:
    Launch(const Variables& environment, std::string remedy)
        : m_environment(environment), m_remedy(std::move(remedy))
    {
    }

    bool has(const std::string& name) const
    {
        const auto found = m_environment.find(name);
        return found != m_environment.end() && !found->second.empty();
    }

    std::string text(const std::string& name) const
    {
        if (!has(name))
            refuse("These variables make this process one of several workers, but " + name + " is not set");
        return m_environment.at(name);
    }

    std::int64_t number(const std::string& name, std::int64_t least, std::int64_t most) const
    {
        const std::string value = text(name);
        std::int64_t result = 0;
        const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), result);
        if (error != std::errc() || end != value.data() + value.size() || result < least || result > most)
            refuse(name + " is \"" + value + "\", not a number from " + std::to_string(least) + " to " +
                   std::to_string(most));
        return result;
    }

    /// Ranks within their counts.
    WorkerPlace ranks(const std::string& rank, const std::string& count, const std::string& local) const
    {
        WorkerPlace place;
        place.count = static_cast<int>(number(count, 1, kMostWorkers));
        place.rank = static_cast<int>(number(rank, 0, kMostWorkers));
        place.localRank = static_cast<int>(number(local, 0, kMostWorkers));
        if (place.rank >= place.count)
            refuse(rank + " is " + std::to_string(place.rank) + ", but " + count + " is " +
                   std::to_string(place.count) + ", and ranks count from 0");
        if (place.localRank > place.rank)
            refuse(local + " is " + std::to_string(place.localRank) + ", more than " + rank + ", " +
                   std::to_string(place.rank));
        return place;
    }

    [[noreturn]] void refuse(const std::string& reason) const
    {
        fail(ErrorCode::BadRequest, reason + "; " + m_remedy + ".");
    }

private:
    const Variables& m_environment;
    std::string m_remedy;
};

WorkerPlace torchrunPlace(const Variables& environment)
{
    const Launch launch(environment, "start the workers with torchrun, or unset RANK and WORLD_SIZE to work "
                                     "alone");
    WorkerPlace place = launch.ranks("RANK", "WORLD_SIZE", "LOCAL_RANK");
    place.address = launch.text("MASTER_ADDR");
    place.port = static_cast<int>(launch.number("MASTER_PORT", 1, kLastPort));
    // Its own store is on that port then. It may be of another libtorch, which speaks another language.
    if (launch.has("TORCHELASTIC_USE_AGENT_STORE") && launch.text("TORCHELASTIC_USE_AGENT_STORE") == "True")
        place.port = place.port < kLastPort ? place.port + 1 : place.port - 1;
    return place;
}

WorkerPlace slurmPlace(const Variables& environment)
{
    const Launch launch(environment, "start the workers with srun, or unset SLURM_STEP_ID to work alone");
    const std::string count = launch.has("SLURM_STEP_NUM_TASKS") ? "SLURM_STEP_NUM_TASKS" : "SLURM_NTASKS";
    WorkerPlace place = launch.ranks("SLURM_PROCID", count, "SLURM_LOCALID");
    if (place.count == 1)
        return place;
    if (launch.has("MASTER_ADDR"))
        place.address = launch.text("MASTER_ADDR");
    else
        place.address = firstHost(
            launch.text(launch.has("SLURM_STEP_NODELIST") ? "SLURM_STEP_NODELIST" : "SLURM_JOB_NODELIST"));
    if (place.address.empty())
        launch.refuse("Slurm's list of nodes names no host");
    if (launch.has("MASTER_PORT")) {
        place.port = static_cast<int>(launch.number("MASTER_PORT", 1, kLastPort));
    } else {
        static constexpr std::int64_t kMost = 1'000'000'000'000;
        const std::int64_t job = launch.number("SLURM_JOB_ID", 0, kMost);
        const std::int64_t step = launch.number("SLURM_STEP_ID", 0, kMost);
        place.port = static_cast<int>(kFirstJobPort + (job + 101 * step) % kJobPorts);
    }
    return place;
}

}  // namespace

Result<WorkerPlace> workerPlace(const Variables& environment)
{
    return guarded([&]() -> WorkerPlace {
        const Launch any(environment, {});
        if (any.has("RANK") || any.has("WORLD_SIZE"))
            return torchrunPlace(environment);
        // A shell in an allocation, and a batch script, have a number of tasks but are no step.
        if (any.has("SLURM_STEP_ID") && any.has("SLURM_PROCID"))
            return slurmPlace(environment);
        return {};
    });
}

std::string firstHost(const std::string& nodeList)
{
    std::string host;
    bool isInside = false;   // of brackets
    bool isSkipped = false;  // what follows their first number
    for (const char letter : nodeList) {
        if (letter == '[') {
            isInside = true;
        } else if (letter == ']') {
            isInside = isSkipped = false;
        } else if (letter == ',' && !isInside) {
            break;
        } else if (isInside && (letter == ',' || letter == '-')) {
            isSkipped = true;
        } else if (!isSkipped) {
            host += letter;
        }
    }
    return host;
}

Variables environmentVariables()
{
    Variables variables;
    for (char** entry = environ; entry && *entry; ++entry) {
        const std::string text = *entry;
        if (const std::size_t equals = text.find('='); equals != std::string::npos)
            variables[text.substr(0, equals)] = text.substr(equals + 1);
    }
    return variables;
}

}  // namespace hs::train
