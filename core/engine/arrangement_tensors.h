#pragma once

#include "engine/torch.h"
#include "model/weight_plan.h"

namespace hs {

/// Brings a tensor from the file's order into the decoder's.
at::Tensor arrange(const at::Tensor& tensor, Arrangement arrangement, const ArchSpec& spec);

/// And back. Contiguous.
at::Tensor rearrange(const at::Tensor& tensor, Arrangement arrangement, const ArchSpec& spec);

}  // namespace hs
