#pragma once

#include "train/held_out.h"
#include "train/price_control.h"
#include "train/step_tensors.h"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

namespace hs::train {

/// The best weights so far that meet the constraint.
struct BestWeights {
    at::Tensor weights;  // [size] float, CPU; replaced, never changed
    std::int64_t step = 0;
    HeldOutMeasure measure;
};

/// A training between two steps: all that the next step depends on.
struct TrainingState {
    std::int64_t step = 0;   // steps made
    std::int64_t steps = 0;  // steps in all; 0: not decided yet
    TrainingVectors vectors;
    PriceControl::State price;
    std::optional<BestWeights> best;
    at::Tensor
        record;  // [any] float, on the device: what a training keeps beside its vectors; undefined: nothing
};

/// A copy that further steps leave as it is, on the host: what another thread may write.
TrainingState hostCopyOf(const TrainingState& state);

/// Writes the state, whole or not at all. `recipe` identifies the training. Throws Failure.
void saveState(const std::filesystem::path& file, const TrainingState& state, const std::string& recipe);

/// Reads it back onto a device; refuses a file with another recipe, size or type of moments. Throws Failure.
TrainingState loadState(const std::filesystem::path& file, const std::string& recipe, std::int64_t size,
                        model::DType states, at::Device device, std::int64_t recordSize = 0);

}  // namespace hs::train
