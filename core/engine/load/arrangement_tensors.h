#pragma once

#include "engine/device/torch.h"
#include "model/weight_plan.h"

namespace hs::engine {

/// Brings a tensor from the file's order into the decoder's.
at::Tensor arrange(const at::Tensor& tensor, model::Arrangement arrangement, const model::ArchSpec& spec);

/// The reverse; the result is contiguous.
at::Tensor rearrange(const at::Tensor& tensor, model::Arrangement arrangement, const model::ArchSpec& spec);

}  // namespace hs::engine
