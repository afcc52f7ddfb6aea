#pragma once

#include "model/model_files.h"
#include "model/safetensors.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace hs::model {

/// All weights of a model in safetensors files, one table over its shards. Move-only; what it returns
/// lives as long as it does. Reading from several threads is safe.
class SafetensorsCheckpoint {
public:
    /// Throws Failure.
    static SafetensorsCheckpoint open(const ModelFiles& files);

    /// Null where no shard has a tensor of that name.
    const TensorInfo* find(std::string_view name) const;

    /// Sorted.
    std::vector<std::string_view> names() const;

    /// The tensor must exist.
    std::span<const std::byte> bytes(std::string_view name) const;
    void release(std::string_view name) const;
    /// Throws Failure if a file has been written to since it was opened.
    void requireUnchanged() const;
    /// Whether all files say that nobody will write to them, so that tensors may be used where they lie.
    bool staysUnchanged() const;

private:
    struct Entry {
        const TensorInfo* tensor;
        std::size_t file;  // index of m_files
    };

    const Entry* entryOf(std::string_view name) const;
    const Entry& requireEntry(std::string_view name) const;
    void checkAgainst(const ModelFiles& files) const;

    std::vector<SafetensorsFile> m_files;
    std::vector<Entry> m_entries;  // sorted by name
};

}  // namespace hs::model
