#pragma once

#include "features/effects/scaled_features.h"
#include "features/graph/held_run_tensors.h"

namespace hs::features {

/// What scaled features add to the MLPs' outputs of a held run. [layer] [query, width]; undefined where nothing
struct ScaledOutputs {
    std::vector<at::Tensor> layers;
    int places = 0;  // where a scaled feature fires
};

/// Throws Failure for features and positions that the run does not have.
ScaledOutputs scaledOutputs(const HeldRun& run, const std::vector<FeatureScale>& scales);

/// The rows of them that are not zero.
engine::SharedWrites writesOf(const ScaledOutputs& outputs);

}  // namespace hs::features
