#pragma once

#include <ATen/ATen.h>

namespace hs::engine {

/// x W^T + bias, in the type of x: a weight of another one is converted a block of rows at a time, so that neither memory nor
/// the way to it has to hold it twice. A single row on the processor reads the weight once, and its sums have a fixed order: the
/// library's product of matrices would copy the weight first, its product with a vector rounds otherwise for
/// another number of threads. x [N, in], weight [out, in], bias [out] or none; returns [N, out].
at::Tensor product(const at::Tensor& x, const at::Tensor& weight, const at::Tensor& bias = {});

/// Products of blocks, as of the heads that share their keys. A few rows on the processor are gone over as they are: the
/// library would first lay out every block's matrix anew.
/// Queries [block, row, size] by keys [block, key, size]: [block, row, key].
at::Tensor scoresOfBlocks(const at::Tensor& queries, const at::Tensor& keys);
/// Weights [block, row, key] by values [block, key, size]: [block, row, size].
at::Tensor mixesOfBlocks(const at::Tensor& weights, const at::Tensor& values);

/// The sum of products of `count` numbers, in an order of its own.
float dot(const float* a, const float* b, std::int64_t count);

/// Whether an operation may go over the rows of `x` by itself: numbers of the processor's own, of which no gradient is
/// wanted.
bool hasPlainRows(const at::Tensor& x);

}  // namespace hs::engine
