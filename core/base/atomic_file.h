#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string_view>

namespace hs {

/// A file that appears under its name complete or not at all: written beside the target, flushed to disk,
/// then renamed. Dropped without `commit`, it leaves nothing behind. What stands at the path stays what it
/// is: a link is followed, mode and owner are kept, a device or a pipe is written into, and a file with
/// other names or whose owner cannot be kept gets the finished bytes in place. Move-only; throws Failure.
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

    void copyIntoTarget() const;

    std::filesystem::path m_target;
    std::filesystem::path m_temporary;  // empty for a target that is written into
    int m_handle = -1;                  // open until committed
    bool m_isInPlace = false;           // a rename would lose the target's other names or its owner
    std::uint64_t m_streamed = 0;       // where the last write ended
};

/// Writes a whole file at once, in the same way. Throws Failure.
void writeFile(const std::filesystem::path& file, std::string_view content);

}  // namespace hs
