#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace hs::gguf {

/// A type of numbers in a GGUF file. Rows are cut into blocks of `elements` numbers in `bytes` bytes each.
struct BlockType {
    using Unpack = void (*)(const std::byte* from, std::size_t blocks, float* to);

    std::uint32_t id = 0;
    std::string_view name;
    std::uint32_t elements = 1;
    std::uint32_t bytes = 4;
    Unpack unpack = nullptr;  // none: known by name only

    double bitsPerWeight() const { return 8.0 * bytes / elements; }
};

/// Null for an id that the format does not define, or no longer does.
const BlockType* blockTypeOf(std::uint32_t id);

/// The label of a whole file by its `general.file_type`: "Q4_K_M"; empty if it is not a known one.
std::string_view fileTypeName(std::uint64_t fileType);

}  // namespace hs::gguf
