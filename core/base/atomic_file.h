#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string_view>

namespace hs {

/// A file that appears under its name complete or not at all: written beside the target, flushed to disk,
/// then renamed. Dropped without `commit`, it leaves nothing behind. A target that exists and is no regular
/// file, such as /dev/null or a pipe, is written into. Move-only; throws Failure.
class AtomicFile {
public:
    static AtomicFile create(const std::filesystem::path& file);

    AtomicFile(AtomicFile&& other) noexcept;
    AtomicFile& operator=(AtomicFile&& other) noexcept;
    ~AtomicFile();

    void writeAt(std::uint64_t offset, std::span<const std::byte> bytes);
    void commit();

private:
    AtomicFile() = default;

    std::filesystem::path m_target;
    std::filesystem::path m_temporary;  // empty for a target that is written into
    int m_handle = -1;                  // open until committed
    std::uint64_t m_streamed = 0;       // where the last write ended
};

/// Writes a whole file at once, in the same way. Throws Failure.
void writeFile(const std::filesystem::path& file, std::string_view content);

}  // namespace hs
