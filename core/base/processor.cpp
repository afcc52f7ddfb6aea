#include "base/processor.h"

#include <sched.h>

#include <algorithm>
#include <fstream>
#include <set>
#include <string>

namespace hs {
namespace {

/// The processors on the same core, as the system lists them; itself if it does not say.
std::string coreOf(int processor)
{
    const std::string number = std::to_string(processor);
    std::ifstream file("/sys/devices/system/cpu/cpu" + number + "/topology/thread_siblings_list");
    std::string siblings;
    return std::getline(file, siblings) ? siblings : number;
}

}  // namespace

int allowedCores()
{
    cpu_set_t allowed;
    CPU_ZERO(&allowed);
    if (sched_getaffinity(0, sizeof allowed, &allowed) != 0)
        return 1;  // more processors than the set has room for, or none that may be asked about
    std::set<std::string> cores;
    for (int processor = 0; processor < CPU_SETSIZE; ++processor)
        if (CPU_ISSET(processor, &allowed))
            cores.insert(coreOf(processor));
    return std::max(1, static_cast<int>(cores.size()));
}

}  // namespace hs
