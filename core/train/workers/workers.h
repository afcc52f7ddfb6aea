#pragma once

#include "base/result.h"
#include "engine/device/device.h"
#include "train/workers/worker_place.h"

#include <chrono>
#include <memory>

namespace hs::train {

class Workers;

/// How long workers wait for one another. One that ends is noticed at once, one that hangs after this time.
struct Patience {
    std::chrono::milliseconds toMeet = std::chrono::minutes(5);
    std::chrono::milliseconds toAnswer = std::chrono::minutes(10);
};

/// A training by this process alone.
std::shared_ptr<const Workers> oneWorker();

/// Meets the others; returns when all have come. NCCL connects GPUs, Gloo processors.
Result<std::shared_ptr<const Workers>> joinWorkers(const WorkerPlace& place, engine::Device device,
                                                   const Patience& patience = {});

}  // namespace hs::train
