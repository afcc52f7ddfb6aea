#pragma once

#include "engine/device/device.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace hs::model {
struct ArchSpec;
struct PlannedTensor;
}  // namespace hs::model

namespace hs::engine {

/// Which layers of a model are on which device, in consecutive parts. The embedding goes with the first
/// part, what comes after the layers with the last.
struct Placement {
    struct Part {
        Device device;
        int firstLayer = 0;

        friend bool operator==(const Part&, const Part&) = default;
    };
    std::vector<Part> parts = {Part{}};  // the first begins with layer 0

    bool isSplit() const { return parts.size() > 1; }
    Device first() const { return parts.front().device; }
    Device last() const { return parts.back().device; }
    Device deviceOf(int layer) const;
    Device deviceOf(const model::PlannedTensor& tensor) const;
    bool uses(Device::Kind kind) const;

    friend bool operator==(const Placement&, const Placement&) = default;
};

/// "cuda:0", "cuda:0,cpu".
std::string toString(const Placement& placement);

/// For people: "NVIDIA H200", "NVIDIA H200 and CPU, 16 threads".
std::string describe(const Placement& placement);

/// "Layers 0 to 15 are on cuda:0, 16 to 31 on cpu."
std::string describeLayers(const Placement& placement, int layers);

/// Bytes free on a device; none if unknown.
using FreeMemory = std::function<std::optional<std::uint64_t>(Device)>;
inline std::optional<std::uint64_t> freeNow(Device device)
{
    return availableMemory(device);
}

/// Divides the layers among the devices, evenly by bytes if every device has room for its share; what one
/// has no room for goes to those after it. Throws Failure if the weights do not fit.
Placement placeModel(const model::ArchSpec& spec, model::DType weights, const DeviceChoice& choice,
                     const FreeMemory& freeOn = freeNow);

}  // namespace hs::engine
