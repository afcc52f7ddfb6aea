#pragma once

#include "base/mapped_file.h"
#include "model/safetensors_header.h"

#include <filesystem>
#include <span>
#include <string_view>

namespace hs::model {

/// The key in a file's metadata by which its writer promises that it stays as it is.
inline constexpr const char* kUnchanging = "headscope.unchanging";

/// A safetensors file, mapped into memory and checked as a whole when it is opened, so that reading
/// a tensor cannot fail; see requireUnchanged. Move-only; what it returns lives as long as it does.
class SafetensorsFile {
public:
    /// Throws Failure.
    static SafetensorsFile open(const std::filesystem::path& file);

    /// In the order of their bytes: reading them in turn streams through the file.
    const std::vector<TensorInfo>& tensors() const { return m_header.tensors; }
    const std::map<std::string, std::string>& metadata() const { return m_header.metadata; }
    const std::filesystem::path& path() const { return m_path; }

    /// Null where the file has no tensor of that name.
    const TensorInfo* find(std::string_view name) const;

    std::span<const std::byte> bytes(const TensorInfo& tensor) const;

    /// Throws Failure if the file has been written to since it was opened.
    void requireUnchanged() const { m_mapped.requireUnchanged(); }

    /// Gives the memory behind a tensor back to the system once it has been copied.
    void release(const TensorInfo& tensor) const;

private:
    std::filesystem::path m_path;
    MappedFile m_mapped;
    SafetensorsHeader m_header;
    std::vector<std::size_t> m_byName;  // indices of tensors(), sorted by name
};

}  // namespace hs::model
