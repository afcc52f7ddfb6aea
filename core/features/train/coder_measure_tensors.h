#pragma once

#include "features/coders/transcoders_tensors.h"
#include "features/train/coder_measure.h"
#include "features/train/coder_record_tensors.h"

namespace hs::features {

/// Transcoders as they are written: in the model's units.
struct FoldedCoders {
    CoderFacts facts;
    std::vector<CoderLayer> layers;
    std::vector<at::Tensor> decoders;  // [layer] of [feature, target - layer, width]
};

/// Scales folded into the weights, which are rounded to `type`. Thresholds are those with which as many features
/// fire on `streams` as were kept in training.
FoldedCoders fold(const CoderParameters& parameters, const CoderOptions& options, const at::Tensor& weights,
                  const CoderRecord& record, const MlpStreams& streams, at::ScalarType type);

/// Runs the model twice over all held-out rows: as it is, and with its MLPs replaced everywhere but at the first
/// position.
CoderMeasure measureCoders(const FoldedCoders& coders, const train::MeasuredModel& model,
                           const std::vector<train::HeldOutBatch>& heldOut,
                           const std::vector<std::string>& groups, train::Operations operations,
                           const Hooks& hooks = {});

}  // namespace hs::features
