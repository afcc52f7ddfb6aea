#pragma once

#include "gguf/block_type.h"
#include "gguf/metadata.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace hs::gguf {

/// One tensor and where its blocks are, counted from the start of the file.
struct PackedTensor {
    std::string name;
    const BlockType* type = nullptr;
    std::vector<std::int64_t> shape;  // slowest first, as torch counts; the file has it reversed
    std::uint64_t offset = 0;
    std::uint64_t bytes = 0;

    std::int64_t elements() const;
};

/// The checked start of a GGUF file: every tensor lies inside the file, none overlaps another, each has as
/// many bytes as its shape and type require, and no key or name is there twice.
struct Header {
    Metadata metadata;                  // views of the content
    std::vector<PackedTensor> tensors;  // in the order of the file
};

/// Checks and reads versions 2 and 3; `file` names it in errors. Throws Failure. Memory stays in proportion
/// to the bytes that were there.
Header readHeader(std::span<const std::byte> content, const std::string& file);

}  // namespace hs::gguf
