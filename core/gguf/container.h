#pragma once

#include "base/mapped_file.h"
#include "gguf/header.h"

#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace hs::gguf {

/// A model in a GGUF file, or in the files it was split into, mapped into memory and checked as a whole
/// when it is opened. Move-only; what it returns lives as long as it does. Reading from several threads is
/// safe.
class Container {
public:
    /// `files` as `filesOf` gives them. Throws Failure.
    static Container open(const std::vector<std::filesystem::path>& files);

    /// Of the first file, which has all keys but those of a split.
    const Metadata& metadata() const { return m_parts.front().header.metadata; }
    const std::string& name() const { return metadata().file(); }

    /// Sorted by name.
    std::vector<const PackedTensor*> tensors() const;
    /// Null where no file has a tensor of that name.
    const PackedTensor* find(std::string_view tensor) const;

    /// The tensor must exist.
    std::span<const std::byte> bytes(std::string_view tensor) const;
    /// Gives the memory behind a tensor back to the system once it has been unpacked.
    void release(std::string_view tensor) const;
    /// Throws Failure if a file has been written to since it was opened.
    void requireUnchanged() const;

    /// What the weights were rounded to: the file's own label ("Q4_K_M"), else the type of most of them.
    std::string quantisation() const;

private:
    struct Part {
        MappedFile mapped;
        Header header;
    };
    struct Entry {
        const PackedTensor* tensor;
        std::size_t part;  // index of m_parts
    };

    void checkSplit() const;

    std::vector<Part> m_parts;
    std::map<std::string_view, Entry> m_entries;
};

/// The files of the model that `file` is, or is one part of, in order: only the first part has all keys.
/// Throws Failure where parts are missing.
std::vector<std::filesystem::path> filesOf(const std::filesystem::path& file);

/// "model" of "model-00002-of-00003.gguf"; empty for other names.
std::string splitPrefix(std::string_view fileName);

}  // namespace hs::gguf
