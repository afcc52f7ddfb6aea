#pragma once

#include "base/mapping_guard.h"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string_view>

namespace hs {

/// A file mapped read-only into memory; move-only, unmapped on destruction. If the file becomes shorter
/// meanwhile, the lost part reads as zeros.
class MappedFile {
public:
    /// Throws Failure when the file cannot be opened or is not a plain file.
    static MappedFile open(const std::filesystem::path& file);

    MappedFile() = default;
    MappedFile(MappedFile&& other) noexcept;
    MappedFile& operator=(MappedFile&& other) noexcept;
    ~MappedFile();

    std::uint64_t size() const { return m_size; }
    std::span<const std::byte> bytes() const { return {m_data, static_cast<std::size_t>(m_size)}; }
    std::string_view text() const
    {
        return {reinterpret_cast<const char*>(m_data), static_cast<std::size_t>(m_size)};
    }

    /// Throws Failure if the file has been written to since it was opened, so that what was read may mix
    /// two versions. Replacing it with another file does not count.
    void requireUnchanged() const;

    /// Tells the system that these bytes will not be read again, so that streaming through a file
    /// does not keep it in memory.
    void release(std::uint64_t offset, std::uint64_t length) const;

private:
    std::filesystem::path m_path;
    const std::byte* m_data = nullptr;
    std::uint64_t m_size = 0;
    std::int64_t m_changed = 0;  // when the file was last written to, in nanoseconds
    int m_handle = -1;
    MappingGuard m_guard;
};

}  // namespace hs
