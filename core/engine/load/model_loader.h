#pragma once

#include "base/hooks.h"
#include "base/result.h"
#include "engine/device/placement.h"
#include "engine/load/model.h"
#include "model/model_files.h"

#include <cstdint>
#include <memory>
#include <optional>

namespace hs::engine {

struct LoadOptions {
    DeviceChoice device;
    std::optional<model::DType> dtype;  // none: as weightType() finds best
};

/// The type that weights get when a file has them in `inFile`: unless told, float32 on the CPU and the
/// file's own where a GPU takes part. A gated model is float32 there, too, if that leaves half of the free
/// memory to others: its gates open at a score of exactly zero, and rounding to half types moves scores
/// across it, differently in every order of summation. `loadModel` leaves weights that a processor can use where they lie,
/// in a file that stays as it is, in that file's type.
model::DType weightType(const LoadOptions& options, const model::ArchSpec& spec, model::DType inFile,
                        const FreeMemory& freeOn = freeNow);

/// Loads a model tensor by tensor from mapped files; memory peaks at the weights, one more tensor and the
/// buffers of `WeightUpload`. Refuses beforehand what will not fit, and tensors that are missing or have
/// the wrong shape, by name.
Result<std::shared_ptr<const Model>> loadModel(const model::ModelFiles& files, const LoadOptions& options,
                                               const Hooks& hooks = {});

/// A model with random weights, for measurements and tests; the same for the same seed.
Result<std::shared_ptr<const Model>> randomModel(const model::ArchSpec& spec, std::uint64_t seed,
                                                 const LoadOptions& options);

}  // namespace hs::engine
