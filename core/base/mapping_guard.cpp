#include "base/mapping_guard.h"

#include <sys/mman.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <csignal>
#include <cstdint>
#include <mutex>
#include <utility>

namespace hs {
namespace {

/// Read by a signal handler, so it is made of atomics alone.
struct Entry {
    std::atomic<bool> isTaken = false;
    std::atomic<std::uintptr_t> begin = 0;
    std::atomic<std::uintptr_t> end = 0;  // 0: not in use
    std::atomic<bool> hasLostPages = false;
};

// More than the shards of two large models; a mapping that finds no entry is not guarded.
std::array<Entry, 1024> table;
std::uintptr_t pageSize = 4096;
struct sigaction previous;

/// Replaces everything from the page at `address` to the mapping's end with zeros.
bool replacePages(std::uintptr_t address)
{
    for (Entry& entry : table) {
        const std::uintptr_t end = entry.end;
        if (end == 0 || address < entry.begin || address >= end)
            continue;
        const std::uintptr_t page = address / pageSize * pageSize;
        entry.hasLostPages = true;
        return ::mmap(reinterpret_cast<void*>(page), end - page, PROT_READ,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) != MAP_FAILED;
    }
    return false;
}

void onBusError(int number, siginfo_t* info, void*)
{
    if (number == SIGBUS && replacePages(reinterpret_cast<std::uintptr_t>(info->si_addr)))
        return;
    // Not ours: the instruction runs again and reaches the previous handler.
    ::sigaction(SIGBUS, &previous, nullptr);
}

void listen()
{
    static std::once_flag once;
    std::call_once(once, [] {
        pageSize = static_cast<std::uintptr_t>(::sysconf(_SC_PAGESIZE));
        struct sigaction action = {};
        action.sa_sigaction = onBusError;
        action.sa_flags = SA_SIGINFO;
        ::sigaction(SIGBUS, &action, &previous);
    });
}

}  // namespace

MappingGuard::MappingGuard(const void* begin, std::size_t size)
{
    listen();
    for (std::size_t index = 0; index < table.size(); ++index) {
        Entry& entry = table[index];
        if (entry.isTaken.exchange(true))
            continue;
        entry.hasLostPages = false;
        entry.begin = reinterpret_cast<std::uintptr_t>(begin);
        entry.end = reinterpret_cast<std::uintptr_t>(begin) + size;
        m_entry = static_cast<int>(index);
        return;
    }
}

MappingGuard::MappingGuard(MappingGuard&& other) noexcept : m_entry(std::exchange(other.m_entry, -1)) {}

MappingGuard& MappingGuard::operator=(MappingGuard&& other) noexcept
{
    std::swap(m_entry, other.m_entry);
    return *this;
}

MappingGuard::~MappingGuard()
{
    if (m_entry < 0)
        return;
    Entry& entry = table[static_cast<std::size_t>(m_entry)];
    entry.end = 0;
    entry.isTaken = false;
}

bool MappingGuard::hasLostPages() const
{
    return m_entry >= 0 && table[static_cast<std::size_t>(m_entry)].hasLostPages;
}

}  // namespace hs
