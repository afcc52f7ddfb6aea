#pragma once

#include "base/result.h"
#include "model/dtype.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace hs::engine {

/// Where a model's weights lie and its runs happen.
struct Device {
    enum class Kind { Cpu, Cuda };
    Kind kind = Kind::Cpu;
    int index = 0;

    bool isCuda() const { return kind == Kind::Cuda; }
    friend bool operator==(const Device&, const Device&) = default;
};

/// The devices that a model may be spread over, in the order of its layers.
struct DeviceChoice {
    std::vector<Device> devices;
    bool usesAll = true;  // false: the first alone where it has room for the weights

    DeviceChoice(Device device = {}) : devices{device} {}
    DeviceChoice(std::vector<Device> list, bool all) : devices(std::move(list)), usesAll(all) {}

    bool isCuda() const;  // all of them
    friend bool operator==(const DeviceChoice&, const DeviceChoice&) = default;
};

/// "cpu", "cuda:0".
std::string toString(Device device);
/// "cuda:0,cpu", as it would be asked for.
std::string toString(const DeviceChoice& choice);

/// For people: "CPU, 2 threads", "NVIDIA H200".
std::string describe(Device device);
std::string describe(const DeviceChoice& choice);

/// Reads "auto" (a GPU where there is one), "cpu", "cuda" or "cuda:N".
Result<Device> chooseDevice(std::string_view text);

/// Reads the same and lists of them: "cuda:0,cpu". "auto" is all GPUs, of which as few as possible are used.
Result<DeviceChoice> chooseDevices(std::string_view text);

/// Reads "auto" (none), "f32", "bf16" or "f16".
Result<std::optional<model::DType>> chooseDType(std::string_view text);

/// What a model of that type computes with there: "float32", "tf32" (float32 whose products may be
/// rounded), "bfloat16" or "float16".
std::string precisionName(Device device, model::DType dtype, bool tf32);

/// Bytes that can still be taken there, what libtorch keeps for later included; none where nobody says.
std::optional<std::uint64_t> availableMemory(Device device);

/// Gives back what libtorch keeps of GPUs' memory for later.
void giveBackMemory();

/// A sentence when libtorch computes with the slow reference BLAS, else nothing.
std::optional<std::string> slowBlasWarning();

}  // namespace hs::engine
