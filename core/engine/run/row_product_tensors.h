#pragma once

#include <ATen/ATen.h>

namespace hs::engine {

/// x W^T + bias. A single row on the processor reads the weight once, and its sums have a fixed order: the
/// library's product of matrices would copy the weight first, its product with a vector rounds otherwise for
/// another number of threads. x [N, in], weight [out, in], bias [out] or none; returns [N, out].
at::Tensor product(const at::Tensor& x, const at::Tensor& weight, const at::Tensor& bias = {});

/// The sum of products of `count` numbers, in an order of its own.
using Dot = float (*)(const float* a, const float* b, std::int64_t count);
/// The one with the widest registers that this processor has.
Dot widestDot();

/// Whether an operation may go over the rows of `x` by itself: numbers of the processor's own, of which no gradient is
/// wanted.
bool hasPlainRows(const at::Tensor& x);

}  // namespace hs::engine
