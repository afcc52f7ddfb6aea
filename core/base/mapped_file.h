#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string_view>

namespace hs {

/// A file mapped read-only into memory; move-only, unmapped when it goes.
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

    /// Tells the system that these bytes will not be read again, so that streaming through a file
    /// does not hold it in memory.
    void release(std::uint64_t offset, std::uint64_t length) const;

private:
    const std::byte* m_data = nullptr;
    std::uint64_t m_size = 0;
};

}  // namespace hs
