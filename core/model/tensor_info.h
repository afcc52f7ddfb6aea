#pragma once

#include "model/dtype.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace hs::model {

/// One tensor of a weights file and where its bytes are, counted from the start of the file.
/// The offset need not be a multiple of the element size: copy, do not cast.
struct TensorInfo {
    std::string name;
    DType dtype = DType::F32;
    std::vector<std::int64_t> shape;
    std::uint64_t offset = 0;
    std::uint64_t bytes = 0;

    friend bool operator==(const TensorInfo&, const TensorInfo&) = default;
};

/// The bytes of a tensor; none where an extent is negative or the product overflows.
std::optional<std::uint64_t> tensorBytes(DType dtype, std::span<const std::int64_t> shape);

/// A name that two of the tensors share, if any.
std::optional<std::string> repeatedName(std::span<const TensorInfo> tensors);

}  // namespace hs::model
