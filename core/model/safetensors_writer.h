#pragma once

#include "base/atomic_file.h"
#include "model/tensor_info.h"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace hs::model {

struct TensorSpec {
    std::string name;
    DType dtype = DType::F32;
    std::vector<std::int64_t> shape;
};

/// Writes a safetensors file tensor by tensor, so that no more than one need be in memory. The file
/// appears when `finish` returns; without it, nothing does. Every function throws Failure.
class SafetensorsWriter {
public:
    static SafetensorsWriter create(const std::filesystem::path& file, std::vector<TensorSpec> tensors,
                                    const std::map<std::string, std::string>& metadata = {});

    /// Each tensor once, in any order.
    void write(std::string_view name, std::span<const std::byte> bytes);

    /// Every tensor must have been written.
    void finish();

private:
    SafetensorsWriter(AtomicFile file, std::vector<TensorInfo> tensors);

    AtomicFile m_file;
    std::vector<TensorInfo> m_tensors;  // sorted by name
    std::vector<bool> m_isWritten;      // of m_tensors
};

}  // namespace hs::model
