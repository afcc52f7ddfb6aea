#pragma once

#include "engine/device/torch.h"
#include "engine/request/stream_writes.h"
#include "engine/run/layer_ablation_tensors.h"

namespace hs::engine {

/// Adds what runs write together with the MLP of a layer to the stream after it, in place. Those of several runs
/// are stacked: [run * row, hidden]
void addWrites(const SharedWrites& writes, int layer, const at::Tensor& stream, RowRange rows);

}  // namespace hs::engine
