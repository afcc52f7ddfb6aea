#include "base/processor.h"

#include <sched.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
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

void preferLargePages(void* memory, std::size_t bytes)
{
    const auto page = static_cast<std::uintptr_t>(sysconf(_SC_PAGESIZE));
    const std::uintptr_t first = (reinterpret_cast<std::uintptr_t>(memory) + page - 1) / page * page;
    const std::uintptr_t end = (reinterpret_cast<std::uintptr_t>(memory) + bytes) / page * page;
    if (end > first)
        madvise(reinterpret_cast<void*>(first), end - first, MADV_HUGEPAGE);
}

}  // namespace hs
