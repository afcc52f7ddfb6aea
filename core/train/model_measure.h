#pragma once

#include "base/hooks.h"
#include "base/result.h"
#include "engine/load/model.h"
#include "train/batch.h"
#include "train/held_out.h"

namespace hs::train {

/// How a loaded model, run as its config says, does on the held-out rows; compared with the dense model
/// that it imitates, if any.
Result<HeldOutMeasure> measureModel(const engine::Model& model, const engine::Model* dense,
                                    const BatchSource& data, const Hooks& hooks = {});

}  // namespace hs::train
