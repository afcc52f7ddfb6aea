#include "features/train/kept_features_tensors.h"

#include <algorithm>
#include <tuple>

namespace hs::features {
namespace {

constexpr std::int64_t kMostOfMean = 4;  // times the mean that one token may keep

/// The largest of each token, as many as it may keep. Both [token, candidate]
struct Candidates {
    at::Tensor values;
    at::Tensor features;
};

Candidates candidatesOf(const at::Tensor& preactivations, std::int64_t k)
{
    const std::int64_t most = std::min(preactivations.size(1), kMostOfMean * k);
    auto [values, features] = preactivations.topk(most, -1, /*largest=*/true, /*sorted=*/false);
    return {at::relu(values), features};
}

/// Of all candidates the values and the places of the largest.
std::tuple<at::Tensor, at::Tensor> largest(const Candidates& candidates, std::int64_t k)
{
    const at::Tensor values = candidates.values.detach();
    const std::int64_t count = std::min(values.numel(), values.size(0) * k);
    return values.flatten().topk(count, 0, /*largest=*/true, /*sorted=*/false);
}

}  // namespace

KeptFeatures keepOfBatch(const at::Tensor& preactivations, std::int64_t k)
{
    const Candidates candidates = candidatesOf(preactivations, k);
    const at::Tensor places = std::get<0>(std::get<1>(largest(candidates, k)).sort());  // token after token
    const std::int64_t perToken = candidates.values.size(1);
    const at::Tensor firsts = at::arange(preactivations.size(0), places.options()) * perToken;
    return {candidates.values.flatten().index_select(0, places),
            candidates.features.flatten().index_select(0, places), at::searchsorted(places, firsts)};
}

KeptFeatures keepOfToken(const at::Tensor& preactivations, std::int64_t k)
{
    const auto [values, features] = preactivations.topk(std::min(k, preactivations.size(1)), -1);
    return {values.flatten(), features.flatten(),
            at::arange(values.size(0), features.options()) * values.size(1)};
}

at::Tensor thresholdOf(const at::Tensor& preactivations, std::int64_t k)
{
    return std::get<0>(largest(candidatesOf(preactivations, k), k)).min();
}

at::Tensor decode(const KeptFeatures& kept, const at::Tensor& decoder)
{
    constexpr std::int64_t kSum = 0;
    return std::get<0>(at::embedding_bag(decoder, kept.features, kept.begins, /*scale_grad_by_freq=*/false,
                                         kSum, /*sparse=*/false, kept.values));
}

}  // namespace hs::features
