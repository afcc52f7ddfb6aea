#pragma once

#include "base/hooks.h"
#include "engine/device/device.h"
#include "engine/request/run_cost.h"

#include <cstdint>
#include <string>

namespace hs::bench {

/// How fast a device is at its best, measured.
struct DeviceSpeed {
    double bytesPerSecond = 0;  // read and written by a large copy
    double f32PerSecond = 0;    // FLOP of a large product of float32 factors
    double bf16PerSecond = 0;

    double flopPerSecond(model::DType dtype) const
    {
        return dtype == model::DType::F32 ? f32PerSecond : bf16PerSecond;
    }
};

/// What the measurement moves and multiplies: large enough for full speed.
struct SpeedProbe {
    std::int64_t copyBytes = 4'000'000'000;
    std::int64_t side = 8192;  // of square factors
    int rounds = 10;
    bool tf32 = false;  // may round float32 factors
    bool withBf16 = true;
};

/// Throws Failure, for instance when memory is short.
DeviceSpeed measureSpeed(engine::Device device, const SpeedProbe& probe, const Hooks& hooks);

/// The least time a computation takes on a device, and what limits it.
struct Floor {
    double milliseconds = 0;
    std::string bound;
};

Floor floorOf(const engine::RunCost& cost, const DeviceSpeed& speed, model::DType dtype);

}  // namespace hs::bench
