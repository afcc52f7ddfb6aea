#include "train/shared_gradient_tensors.h"

#include "model/architectures.h"
#include "support/catch.h"
#include "support/free_port.h"
#include "support/models.h"
#include "support/skip.h"
#include "train/adapter_tensors.h"
#include "train/parameters_tensors.h"

#include <torch/csrc/autograd/autograd.h>

#include <future>

using namespace hs;

namespace {

model::ArchSpec tiedSpec()
{
    const Json config = {{"model_type", "gpt2"}, {"n_layer", 3},     {"n_head", 2},
                         {"n_embd", 16},         {"n_positions", 8}, {"vocab_size", 12}};
    return test::value(model::readArchSpec(config));
}

/// Depends on all weights but the final norm's, and on the embedding twice.
at::Tensor lossOf(const engine::ModelWeights& weights)
{
    at::Tensor loss = at::zeros({}, at::kFloat);
    double factor = 1;
    const auto add = [&](const at::Tensor& tensor) {
        if (tensor.defined())
            loss = loss + tensor.to(at::kFloat).pow(2).sum() * (factor += 0.5);
    };
    add(weights[model::Role::Embedding]);
    add(weights[model::Role::Unembedding]);
    for (const engine::ModelWeights::Table& layer : weights.layers)
        for (const at::Tensor& tensor : layer)
            add(tensor);
    return loss;
}

struct Slope {
    train::ParameterLayout layout{tiedSpec()};
    at::Tensor vector = layout.start(3);

    at::Tensor plain(at::ScalarType type) const
    {
        const at::Tensor leaf = vector.detach().requires_grad_();
        return torch::autograd::grad({lossOf(layout.unpack(leaf.to(type)))}, {leaf}).front();
    }
};

}  // namespace

TEST_CASE("a worker alone has every row, and its sums are its own numbers")
{
    CHECK(train::Workers().shareOf(5).count == 5);
    const at::Tensor number = at::full({2}, 3.0f);
    train::Workers().sum(number);
    train::Workers().most(number);
    CHECK(number.sum().item<float>() == 6);
    CHECK(train::Workers().isSame(7));
    CHECK(train::Workers().any(true));
    CHECK_FALSE(train::Workers().any(false));
}

TEST_CASE("a gradient that is made in buckets is the gradient, bit for bit")
{
    const at::ScalarType type = GENERATE(at::kFloat, at::kBFloat16);
    const std::int64_t bucketSize = GENERATE(1, 500, std::int64_t{1} << 21);
    const Slope slope;
    const train::Workers alone;
    train::SharedGradient gradient(alone, slope.layout, slope.vector, type, bucketSize);
    torch::autograd::backward({lossOf(slope.layout.join(gradient.pieces()))}, {});
    CHECK(at::equal(gradient.summed(), slope.plain(type)));
}

TEST_CASE("the gradient of an adapter is made in buckets, too")
{
    const Slope slope;
    const engine::ModelWeights base = slope.layout.unpack(slope.vector);
    train::AdapterOptions options;
    options.rank = 2;
    const train::LoraAdapter adapter(tiedSpec(), base, options);
    const at::Tensor vector = adapter.start(5) + 0.01;
    const at::Tensor leaf = vector.detach().requires_grad_();
    const at::Tensor wanted = torch::autograd::grad({lossOf(adapter.unpack(leaf))}, {leaf}).front();
    const train::Workers alone;
    train::SharedGradient gradient(alone, adapter, vector, at::kFloat, 1);
    torch::autograd::backward({lossOf(adapter.join(gradient.pieces()))}, {});
    CHECK(at::equal(gradient.summed(), wanted));
}

TEST_CASE("gradients of workers add up bucket by bucket, also where one of them has no rows")
{
    const std::int64_t bucketSize = GENERATE(1, 500, std::int64_t{1} << 21);
    constexpr int kCount = 3;
    const int port = test::freePort();
    const Slope slope;
    std::vector<std::future<at::Tensor>> running;
    for (int rank = 0; rank < kCount; ++rank)
        running.push_back(std::async(std::launch::async, [&, rank]() -> at::Tensor {
            const auto workers = train::joinWorkers({rank, kCount, rank, "127.0.0.1", port}, {});
            if (!workers)
                return {};
            train::SharedGradient gradient(**workers, slope.layout, slope.vector, at::kFloat, bucketSize);
            if (rank != 1)
                torch::autograd::backward({lossOf(slope.layout.join(gradient.pieces()))}, {});
            return gradient.summed();
        }));
    const at::Tensor wanted = slope.plain(at::kFloat) * (kCount - 1);
    bool hasGroup = true;
    for (auto& run : running) {
        const at::Tensor summed = run.get();
        hasGroup &= summed.defined();
        if (hasGroup)
            CHECK(at::equal(summed, wanted));
    }
    if (!hasGroup)
        test::skipTest("this build has no Gloo");
}
