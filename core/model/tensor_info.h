#pragma once

#include "model/dtype.h"

#include <cstdint>
#include <string>
#include <vector>

namespace hs {

/// One tensor of a weights file and where its bytes lie, counted from the start of the file.
/// The offset need not be a multiple of the element size: copy, do not cast.
struct TensorInfo {
    std::string name;
    DType dtype = DType::F32;
    std::vector<std::int64_t> shape;
    std::uint64_t offset = 0;
    std::uint64_t bytes = 0;

    friend bool operator==(const TensorInfo&, const TensorInfo&) = default;
};

}  // namespace hs
