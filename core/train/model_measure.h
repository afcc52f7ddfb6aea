#pragma once

#include "base/hooks.h"
#include "base/result.h"
#include "engine/load/model.h"
#include "train/batch.h"
#include "train/held_out.h"

#include <optional>

namespace hs::train {

/// How a loaded model, run as its config says, does on the held-out rows; compared with the dense model
/// that it imitates, if any.
Result<HeldOutMeasure> measureModel(const engine::Model& model, const engine::Model* dense,
                                    const BatchSource& data, const Hooks& hooks = {});

/// A loaded model and the bias of the gate that it runs with, if any.
struct GatedModel {
    const engine::Model& model;
    std::optional<double> gateBias;
};

/// How two models with the same vocabulary do on rows of one group, the sparse one compared with the dense.
Result<PairMeasure> measurePair(const GatedModel& dense, const GatedModel& sparse,
                                const std::vector<HeldOutBatch>& rows, const Hooks& hooks = {});

}  // namespace hs::train
