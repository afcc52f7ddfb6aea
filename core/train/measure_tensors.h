#pragma once

#include "base/hooks.h"
#include "train/forward_tensors.h"
#include "train/held_out.h"
#include "train/workers/workers_tensors.h"

namespace hs::train {

/// A model to be measured: its tensors, and the bias of its gate if it has one.
struct MeasuredModel {
    const model::ArchSpec& spec;
    RunWeights weights;
    std::optional<double> gateBias;
    MlpHook mlp = {};  // watches its MLPs, or takes their place
};

/// Runs the model, and the dense one if there is one, over all held-out rows; workers share them and get the
/// same numbers.
HeldOutMeasure measureHeldOut(const MeasuredModel& model, const MeasuredModel* dense,
                              const std::vector<HeldOutBatch>& heldOut,
                              const std::vector<std::string>& groups, Operations operations,
                              const Hooks& hooks = {}, const Workers& workers = Workers());

/// The same at 16, 64, 256 and 1,024 tokens, as far as the model and the held-out text reach. Rows with
/// answers are no running text, and are not cut.
std::vector<LengthMeasure> measureByLength(const MeasuredModel& model, const MeasuredModel& dense,
                                           const BatchSource& data, Operations operations);

/// At most so many of the held-out rows, from all over them.
std::vector<HeldOutBatch> someRows(const std::vector<HeldOutBatch>& heldOut, int mostRows);

/// Both models over all held-out rows, each run once.
PairMeasure measureBoth(const MeasuredModel& dense, const MeasuredModel& sparse,
                        const std::vector<HeldOutBatch>& heldOut, const std::vector<std::string>& groups,
                        Operations operations, const Hooks& hooks = {});

}  // namespace hs::train
