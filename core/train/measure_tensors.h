#pragma once

#include "base/hooks.h"
#include "train/forward_tensors.h"
#include "train/held_out.h"

namespace hs::train {

/// A model to be measured: its tensors, and the bias of its gate if it has one.
struct MeasuredModel {
    const model::ArchSpec& spec;
    const engine::ModelWeights& weights;
    std::optional<double> gateBias;
};

/// Runs the model, and the dense one if there is one, over all held-out rows.
HeldOutMeasure measureHeldOut(const MeasuredModel& model, const MeasuredModel* dense,
                              const std::vector<HeldOutBatch>& heldOut,
                              const std::vector<std::string>& groups, Operations operations,
                              const Hooks& hooks = {});

/// Both models over all held-out rows, each run once.
PairMeasure measureBoth(const MeasuredModel& dense, const MeasuredModel& sparse,
                        const std::vector<HeldOutBatch>& heldOut, const std::vector<std::string>& groups,
                        Operations operations, const Hooks& hooks = {});

}  // namespace hs::train
