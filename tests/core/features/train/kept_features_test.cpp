#include "features/train/kept_features_tensors.h"

#include "engine/device/device_tensors.h"
#include "support/catch.h"

#include <torch/csrc/autograd/autograd.h>

using namespace hs;

namespace {

at::Tensor randomOf(at::IntArrayRef sizes, std::uint64_t seed)
{
    return at::randn(sizes, engine::newGenerator(at::kCPU, seed), at::TensorOptions(at::kFloat));
}

/// The same activations as a matrix. [token, feature]
at::Tensor denseOf(const features::KeptFeatures& kept, std::int64_t features)
{
    const std::int64_t tokens = kept.begins.size(0);
    const at::Tensor dense = at::zeros({tokens, features});
    for (std::int64_t token = 0; token < tokens; ++token) {
        const std::int64_t end =
            token + 1 < tokens ? kept.begins[token + 1].item<std::int64_t>() : kept.values.size(0);
        for (std::int64_t entry = kept.begins[token].item<std::int64_t>(); entry < end; ++entry)
            dense[token][kept.features[entry].item<std::int64_t>()] = kept.values[entry].detach();
    }
    return dense;
}

double largestDifference(const at::Tensor& left, const at::Tensor& right)
{
    return (left - right).abs().max().item<double>();
}

}  // namespace

TEST_CASE("of a batch the largest pre-activations are kept, k a token on average and none negative")
{
    const at::Tensor pre = randomOf({50, 40}, 1);
    const at::Tensor dense = denseOf(features::keepOfBatch(pre, 5), 40);
    const at::Tensor threshold = std::get<0>(pre.flatten().sort(/*dim=*/0, /*descending=*/true))[249];
    CHECK(dense.gt(0).sum().item<std::int64_t>() == 250);
    CHECK(dense.equal(at::where(pre >= threshold, pre, at::zeros({}))));
    CHECK(dense.gt(0).sum(1).max().item<std::int64_t>() > 5);

    const at::Tensor few = features::keepOfBatch(pre - 10, 5).values;
    CHECK(few.eq(0).all().item<bool>());
}

TEST_CASE("a token keeps at most four times the mean")
{
    at::Tensor pre = randomOf({10, 30}, 2);
    pre[3] += 100;
    const at::Tensor dense = denseOf(features::keepOfBatch(pre, 2), 30);
    CHECK(dense.gt(0).sum(1).max().item<std::int64_t>() == 8);
    CHECK(dense.gt(0).sum().item<std::int64_t>() == 20);
}

TEST_CASE("above the threshold of a batch are as many as are kept of it")
{
    const at::Tensor pre = randomOf({60, 30}, 3);
    const at::Tensor threshold = features::thresholdOf(pre, 4);
    CHECK(pre.gt(threshold).sum().item<std::int64_t>() == 60 * 4 - 1);  // it is the smallest of them
    CHECK(features::thresholdOf(pre - 10, 4).item<float>() == 0);
}

TEST_CASE("of each token the k largest are kept with their signs")
{
    const at::Tensor pre = randomOf({7, 12}, 4) - 3;
    const auto [values, places] = pre.topk(3, -1);
    const at::Tensor dense = denseOf(features::keepOfToken(pre, 3), 12);
    CHECK(dense.equal(at::zeros_like(pre).scatter(-1, places, values)));
    CHECK(dense.lt(0).any().item<bool>());
}

TEST_CASE("the sparse decoder and its gradients are those of the product of matrices")
{
    const bool isOfBatch = GENERATE(true, false);
    const at::Tensor pre = randomOf({20, 16}, 5).requires_grad_();
    const at::Tensor decoder = randomOf({16, 9}, 6).requires_grad_();
    const at::Tensor target = randomOf({20, 9}, 7);
    const features::KeptFeatures kept =
        isOfBatch ? features::keepOfBatch(pre, 3) : features::keepOfToken(pre, 3);
    const at::Tensor sparse = features::decode(kept, decoder);
    const at::Tensor isKept = denseOf(kept, 16).ne(0);
    const at::Tensor dense = at::matmul(pre * isKept, decoder);
    CHECK(largestDifference(sparse, dense) < 1e-5);

    const auto gradients = [&](const at::Tensor& made) {
        return torch::autograd::grad({(made - target).square().sum()}, {pre, decoder}, {}, true);
    };
    const auto ofSparse = gradients(sparse);
    const auto ofDense = gradients(dense);
    CHECK(largestDifference(ofSparse[0], ofDense[0]) < 1e-4);
    CHECK(largestDifference(ofSparse[1], ofDense[1]) < 1e-4);
}
