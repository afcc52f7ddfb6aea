#pragma once

#include "model/tensor_info.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

namespace hs::model {

/// The file begins with the length of its header, a 64-bit number.
inline constexpr std::uint64_t kSafetensorsLengthBytes = 8;
inline constexpr std::uint64_t kSafetensorsLongestHeader = 100'000'000;

/// The checked header of a safetensors file: the tensors cover the data area exactly, none overlaps
/// another, each has as many bytes as its shape and type require.
struct SafetensorsHeader {
    std::vector<TensorInfo> tensors;  // in the order of their bytes
    std::map<std::string, std::string> metadata;
};

/// Checks and reads the header of a whole file; `file` names it in errors. Throws Failure. Memory
/// stays in proportion to the header, which the format limits to 100 MB.
SafetensorsHeader readSafetensorsHeader(std::span<const std::byte> content, const std::string& file);

}  // namespace hs::model
