#pragma once

#include "engine/decoder_tensors.h"
#include "engine/run_request.h"
#include "engine/run_result.h"

namespace hs {

/// Reads predictions, and loss and logits where asked for, off the last residual [query, hidden].
void readOut(const Decoder& decoder, const at::Tensor& residual, const RunRequest& request,
             RunResult& result);

}  // namespace hs
