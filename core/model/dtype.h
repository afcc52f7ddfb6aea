#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace hs::model {

/// The element types of weights. 8-bit floats and packed integers of quantised models are not
/// among them: readers refuse those by name.
enum class DType { F32, F16, BF16, F64, I64, I32, I16, I8, U8, Bool };

std::uint64_t byteSize(DType dtype);

/// The name in a safetensors header: "F32", "BF16", "BOOL".
std::string_view name(DType dtype);

std::optional<DType> dtypeFromSafetensors(std::string_view name);

/// Reads the name in a config.json: "float16", "torch.bfloat16".
std::optional<DType> dtypeFromConfig(std::string_view name);

}  // namespace hs::model
