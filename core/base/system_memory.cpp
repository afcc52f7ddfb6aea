#include "base/system_memory.h"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <string>

namespace hs {
namespace {

/// The number in the line "Name:   123 kB" of a file in /proc, in bytes.
std::optional<std::uint64_t> procField(const char* file, const std::string& field)
{
    std::ifstream lines(file);
    for (std::string line; std::getline(lines, line);)
        if (line.starts_with(field + ":"))
            return std::stoull(line.substr(field.size() + 1)) * 1024;
    return std::nullopt;
}

std::optional<std::uint64_t> numberIn(const char* file)
{
    std::uint64_t value = 0;
    if (std::ifstream(file) >> value)
        return value;
    return std::nullopt;  // absent, or "max"
}

}  // namespace

std::optional<std::uint64_t> availableMemory()
{
    std::optional<std::uint64_t> available = procField("/proc/meminfo", "MemAvailable");
    const auto limit = numberIn("/sys/fs/cgroup/memory.max");
    const auto used = numberIn("/sys/fs/cgroup/memory.current");
    if (limit && used) {
        const std::uint64_t left = *limit > *used ? *limit - *used : 0;
        available = std::min(available.value_or(left), left);
    }
    return available;
}

std::optional<std::uint64_t> residentMemory()
{
    return procField("/proc/self/status", "VmRSS");
}

std::uint64_t peakResidentMemory()
{
    return procField("/proc/self/status", "VmHWM").value_or(0);
}

bool resetPeakMemory()
{
    std::ofstream control("/proc/self/clear_refs");
    return static_cast<bool>(control << "5" << std::flush);
}

void preferLargePages(void* memory, std::size_t bytes)
{
    constexpr std::uint64_t kSpare = 1u << 30;  // free memory that is in single pages
    if (procField("/proc/meminfo", "MemFree").value_or(0) < bytes + kSpare)
        return;
    const auto page = static_cast<std::uintptr_t>(sysconf(_SC_PAGESIZE));
    const std::uintptr_t first = (reinterpret_cast<std::uintptr_t>(memory) + page - 1) / page * page;
    const std::uintptr_t end = (reinterpret_cast<std::uintptr_t>(memory) + bytes) / page * page;
    if (end > first)
        madvise(reinterpret_cast<void*>(first), end - first, MADV_HUGEPAGE);
}

}  // namespace hs
