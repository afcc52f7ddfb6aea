#pragma once

#include "engine/device/torch.h"

#include <cstdint>

namespace hs::features {

/// Activations of which few are not zero, token after token.
struct KeptFeatures {
    at::Tensor values;    // [entry] float, with gradients to the pre-activations
    at::Tensor features;  // [entry] int64
    at::Tensor begins;    // [token] int64, where its entries begin
};

/// Of all tokens' pre-activations [token, feature] the k * tokens largest, of one token at most 4 k; none is
/// negative. How many there are depends on shapes alone, so that a GPU need not be waited for.
KeptFeatures keepOfBatch(const at::Tensor& preactivations, std::int64_t k);

/// The k largest of each token, with their signs.
KeptFeatures keepOfToken(const at::Tensor& preactivations, std::int64_t k);

/// The threshold above which so many are: with it instead of keepOfBatch, k fire on average. []
at::Tensor thresholdOf(const at::Tensor& preactivations, std::int64_t k);

/// The sum of the rows of `decoder` [feature, n] by the values: with so few of them, many times cheaper than the
/// product of matrices that it is. [token, n]
at::Tensor decode(const KeptFeatures& kept, const at::Tensor& decoder);

}  // namespace hs::features
