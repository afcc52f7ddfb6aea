#pragma once

#include "cuda/gated_activation.h"

namespace hs::cuda {

/// The MLP's nonlinearity for runs, in place: inner[:, :width] = activation(inner[:, :width]), times
/// inner[:, width:] where it is gated.
struct MlpActivation {
    std::int64_t rows = 0;
    int width = 0;
    bool isGated = false;
    ActivationKind activation = ActivationKind::Silu;
    Precision precision = Precision::Float;
    void* inner = nullptr;  // [row, width] or [row, gate | up]
};

void activateMlp(const MlpActivation& problem, Stream stream);

/// The twin, for rows [begin, end) in float.
void activateMlpTwin(const MlpActivation& problem, std::int64_t begin, std::int64_t end);

}  // namespace hs::cuda
