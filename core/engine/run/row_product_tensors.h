#pragma once

#include <ATen/ATen.h>

namespace hs::engine {

/// x W^T + bias. A single row on the processor reads the weight once, and its sums have a fixed order: the
/// library's product of matrices would copy the weight first, its product with a vector rounds otherwise for
/// another number of threads. x [N, in], weight [out, in], bias [out] or none; returns [N, out].
at::Tensor product(const at::Tensor& x, const at::Tensor& weight, const at::Tensor& bias = {});

}  // namespace hs::engine
