#pragma once

#include "features/train/coder_parameters_tensors.h"
#include "features/train/mlp_streams_tensors.h"

namespace hs::features {

/// What a training of transcoders keeps beside its weights, as parts of one vector.
class CoderRecord {
public:
    static std::int64_t sizeFor(const CoderParameters& parameters)
    {
        return parameters.layers() * (3 + static_cast<std::int64_t>(parameters.features())) + 1;
    }

    /// Views of a vector of that size.
    CoderRecord(const CoderParameters& parameters, const at::Tensor& vector);

    /// Fills in the scales, from the streams of a first batch; no feature is idle.
    void begin(const MlpStreams& streams) const;

    at::Tensor inputScales;   // [layer] that bring what is read to a mean norm of √width
    at::Tensor outputScales;  // [layer] and what is written
    at::Tensor variances;     // [layer] of the scaled outputs, summed over their width
    at::Tensor idleSteps;     // [layer, feature] since it last fired
    at::Tensor dead;          // [1] features, when they were last counted
};

/// The mean of what each layer's MLP adds, scaled. [layer, width]
at::Tensor scaledMeans(const MlpStreams& streams, const CoderRecord& record);

}  // namespace hs::features
