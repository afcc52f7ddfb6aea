#pragma once

#include <cstddef>

namespace hs {

/// Keeps the program alive when a file becomes shorter while it is mapped: reading past the new end would
/// be a bus error. Such pages read as zeros from then on, and the guard records it. For any thread.
class MappingGuard {
public:
    MappingGuard() = default;
    /// Guards pages that stay mapped as long as this object lives.
    MappingGuard(const void* begin, std::size_t size);
    MappingGuard(MappingGuard&& other) noexcept;
    MappingGuard& operator=(MappingGuard&& other) noexcept;
    ~MappingGuard();

    bool hasLostPages() const;

private:
    int m_entry = -1;  // in the table that the signal handler reads
};

}  // namespace hs
