#pragma once

#include "base/feature_scale.h"
#include "features/graph/graph.h"

#include <vector>

namespace hs::features {

/// What a run has to write for features to be scaled: (factor − 1) · activation · decoder row into every layer
/// that they write to. Activations are those of the same run without writes; the MLPs themselves stay the
/// model's own. Null if none of them fires. `run.writes` are left out.
Result<engine::SharedWrites> scaledWrites(const engine::RunRequest& run,
                                          const std::shared_ptr<const Transcoders>& coders,
                                          const std::vector<FeatureScale>& scales, const Hooks& hooks = {});

/// Changes of one token's logit, less the same of `versus`, or of the vocabulary's mean.
struct ScaledLogit {
    std::int64_t token = 0;
    double before = 0;       // the logit itself
    double predicted = 0;    // by the edges of the attribution graph
    double constrained = 0;  // patterns, norms and MLPs held: what the edges predict, computed forwards
    double frozen = 0;       // patterns held
    double free = 0;         // nothing held

    friend bool operator==(const ScaledLogit&, const ScaledLogit&) = default;
};

struct ScaledEffects {
    int position = 0;
    int places = 0;  // where a scaled feature fires
    std::vector<ScaledLogit> logits;

    friend bool operator==(const ScaledEffects&, const ScaledEffects&) = default;
};

/// What scaling features does to the request's target, or to the most probable tokens.
Result<ScaledEffects> scaledEffects(const GraphRequest& request, const std::vector<FeatureScale>& scales,
                                    const Hooks& hooks = {});

}  // namespace hs::features
