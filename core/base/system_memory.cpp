#include "base/system_memory.h"

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

}  // namespace hs
