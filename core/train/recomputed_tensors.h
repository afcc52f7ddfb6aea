#pragma once

#include "engine/device/torch.h"

#include <functional>
#include <vector>

namespace hs::train {

using RecomputedWork = std::function<std::vector<at::Tensor>(const std::vector<at::Tensor>& inputs)>;

/// What `work` makes of the inputs, with gradients to them. Nothing that it computes on the way is kept: it runs
/// once more when the gradient is needed, so it must give the same results again. Inputs may not be undefined.
std::vector<at::Tensor> recomputed(RecomputedWork work, const std::vector<at::Tensor>& inputs);

}  // namespace hs::train
