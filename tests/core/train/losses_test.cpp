#include "support/catch.h"
#include "train/losses_tensors.h"

#include <torch/csrc/autograd/autograd.h>

using namespace hs;

namespace {

constexpr int kFiveTokens = 5;

/// Two rows of four tokens, in one group.
train::Batch twoRows()
{
    train::Batch batch;
    batch.rows = 2;
    batch.length = 4;
    batch.tokens = {0, 1, 2, 3, 3, 2, 1, 0};
    batch.lengths = {4, 4};
    batch.groups = {0, 0};
    batch.weights = {1, 1, 1, 0, 1, 1, 1, 0};
    return batch;
}

/// The loss of one layer with two heads and its gradient with respect to the gates' summed probabilities.
struct GateLoss {
    double loss = 0;
    at::Tensor slope;  // [layer, prompt, head]
};

GateLoss lossWith(double headPenalty, const at::Tensor& active, double price)
{
    const train::BatchTensors batch(twoRows(), 1, at::kCPU);
    const at::Tensor logits = at::zeros({8, kFiveTokens});
    const at::Tensor expected = at::full({1, 2, 2}, 4.0, at::kFloat).requires_grad_();
    const train::Forward run{logits, expected, active};
    train::Options options;
    options.sparsity.emplace();
    options.sparsity->headPenalty = headPenalty;
    const train::Losses losses =
        train::lossesOf({run, logits}, batch, options, at::full({}, price), train::Operations::Plain);
    return {losses.loss.item<double>(), torch::autograd::grad({losses.loss}, {expected}).front()};
}

}  // namespace

TEST_CASE("the head penalty makes a cell dear where a head has few open, by one over one more than these")
{
    constexpr double kCells = 2 * 10 * 2;  // rows, causal cells, heads
    const at::Tensor active = at::tensor({0.0f, 1.0f, 3.0f, 9.0f}).view({1, 2, 2});
    const GateLoss loss = lossWith(6, active, 2);
    const at::Tensor slope = (loss.slope * kCells / 2).view({4});
    CHECK(slope[0].item<double>() == Approx(1 + 6));
    CHECK(slope[1].item<double>() == Approx(1 + 3));
    CHECK(slope[2].item<double>() == Approx(1 + 1.5));
    CHECK(slope[3].item<double>() == Approx(1 + 0.6));
}

TEST_CASE("without a head penalty every cell costs the same")
{
    const at::Tensor active = at::tensor({0.0f, 1.0f, 3.0f, 9.0f}).view({1, 2, 2});
    const GateLoss loss = lossWith(0, active, 2);
    CHECK(loss.slope.eq(loss.slope.flatten()[0]).all().item<bool>());
    CHECK(loss.loss == Approx(2 * 16.0 / 40));
}

TEST_CASE("the same open cells cost less in one head than in two, however many closed ones there are")
{
    // The slope summed over the open cells: what it costs to keep the next one.
    const at::Tensor together = at::tensor({8.0f, 0.0f, 8.0f, 0.0f}).view({1, 2, 2});
    const at::Tensor apart = at::full({1, 2, 2}, 4.0, at::kFloat);
    const auto costOfKeeping = [](const at::Tensor& active) {
        return (lossWith(6, active, 1).slope * active).sum().item<double>();
    };
    CHECK(costOfKeeping(together) < costOfKeeping(apart));
}
