#pragma once

#include "base/hooks.h"
#include "base/result.h"
#include "engine/model.h"
#include "train/batch.h"
#include "train/held_out.h"

namespace hs {

/// How a loaded model, run as its config says, does on the held-out rows; beside the dense model that
/// it imitates where there is one.
Result<HeldOutMeasure> measureModel(const Model& model, const Model* dense, const BatchSource& data,
                                    const Hooks& hooks = {});

}  // namespace hs
