#pragma once

#include "base/json.h"
#include "features/coders/transcoders.h"

namespace hs::features {

/// What a set of transcoders that is trained will be.
struct CoderOptions {
    int features = 0;  // of each layer
    int k = 32;        // of them that fire at a position: JumpRelu on average, TopK each time
    bool crossesLayers = false;
    Firing firing = Firing::JumpRelu;
    double auxiliary = 1.0 / 32;  // weight of what dead features make of the rest

    friend bool operator==(const CoderOptions&, const CoderOptions&) = default;
};

/// For the record in a checkpoint, which is only resumed with equal options.
inline Json toJson(const CoderOptions& options)
{
    return {{"features", options.features},
            {"k", options.k},
            {"crosses_layers", options.crossesLayers},
            {"firing", static_cast<int>(options.firing)},
            {"auxiliary", options.auxiliary}};
}

}  // namespace hs::features
