#pragma once

#include "fuzz/target.h"

#include <sys/mman.h>
#include <unistd.h>

#include <filesystem>
#include <string>
#include <string_view>

namespace hs::fuzz {

/// A file in memory with a path of its own.
class MemoryFile {
public:
    MemoryFile() : m_handle(::memfd_create("input", MFD_CLOEXEC)) {}

    std::filesystem::path with(std::string_view content) const
    {
        require(::ftruncate(m_handle, 0) == 0 && ::pwrite(m_handle, content.data(), content.size(), 0) ==
                                                     static_cast<ssize_t>(content.size()),
                "the input fits into memory");
        return "/proc/self/fd/" + std::to_string(m_handle);
    }

private:
    int m_handle;
};

}  // namespace hs::fuzz
