#pragma once

#include "engine/device/torch.h"
#include "engine/request/run_request.h"
#include "features/coders/transcoders.h"

#include <functional>

namespace hs::features {

/// What the MLP of a layer finds and does. Tensors are float32 on the processor.
struct MlpVisit {
    int layer = 0;
    at::Tensor stream;                   // that its norm gets. [query, width]
    std::function<at::Tensor()> output;  // what it adds; computed when it is asked for. [query, width]
};

/// Runs the request's model with its gate, without ablations, and adds at each layer what `visit` returns. Returns
/// the logits. [query, vocabulary] float32, on the processor. Throws Failure.
at::Tensor runMlps(const engine::RunRequest& request,
                   const std::function<at::Tensor(const MlpVisit&)>& visit);

/// What an encoder at this place reads, given what the norm of its layer's MLP gets. [query, width] -> the same
at::Tensor readAt(Place place, const engine::Model& model, int layer, const at::Tensor& stream);

}  // namespace hs::features
