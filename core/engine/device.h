#pragma once

#include "base/result.h"
#include "model/dtype.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace hs {

/// Where a model's weights lie and its runs happen.
struct Device {
    enum class Kind { Cpu, Cuda };
    Kind kind = Kind::Cpu;
    int index = 0;

    bool isCuda() const { return kind == Kind::Cuda; }
    friend bool operator==(const Device&, const Device&) = default;
};

/// "cpu", "cuda:0".
std::string toString(Device device);

/// For people: "CPU, 2 threads", "NVIDIA H200".
std::string describe(Device device);

/// Reads "auto" (a GPU where there is one), "cpu", "cuda" or "cuda:N".
Result<Device> chooseDevice(std::string_view text);

/// Reads "auto" (none), "f32", "bf16" or "f16".
Result<std::optional<DType>> chooseDType(std::string_view text);

/// What a model of that type computes with there: "float32", "tf32" (float32 whose products may be
/// rounded), "bfloat16" or "float16".
std::string precisionName(Device device, DType dtype, bool tf32);

/// Bytes that can still be taken there; none where nobody says.
std::optional<std::uint64_t> availableMemory(Device device);

/// Gives memory there that is kept for later runs back to the system.
void releaseKeptMemory(Device device);

/// A sentence when libtorch computes with the slow reference BLAS, else nothing.
std::optional<std::string> slowBlasWarning();

}  // namespace hs
