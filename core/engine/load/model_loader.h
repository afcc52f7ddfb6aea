#pragma once

#include "base/hooks.h"
#include "base/result.h"
#include "engine/load/model.h"
#include "model/model_files.h"

#include <cstdint>
#include <memory>
#include <optional>

namespace hs::engine {

struct LoadOptions {
    DeviceChoice device;
    std::optional<model::DType>
        dtype;  // none: float32 on the CPU, the file's own type where a GPU takes part
};

/// The type that weights get when a file has them in `inFile`.
model::DType weightType(const LoadOptions& options, model::DType inFile);

/// Loads a model tensor by tensor from mapped files; memory peaks at the weights, one more tensor and the
/// buffers of `WeightUpload`. Refuses beforehand what will not fit, and tensors that are missing or have
/// the wrong shape, by name.
Result<std::shared_ptr<const Model>> loadModel(const model::ModelFiles& files, const LoadOptions& options,
                                               const Hooks& hooks = {});

/// A model with random weights, for measurements and tests; the same for the same seed.
Result<std::shared_ptr<const Model>> randomModel(const model::ArchSpec& spec, std::uint64_t seed,
                                                 const LoadOptions& options);

}  // namespace hs::engine
