#include "engine/run/row_product_tensors.h"

#include "support/torch.h"

#include "support/catch.h"

#include <ATen/Parallel.h>

using namespace hs;

TEST_CASE("the product of one row is exact to rounding, and has the same bits for any number of threads")
{
    const c10::InferenceMode guard;
    const int threads = at::get_num_threads();
    for (const std::int64_t width : {1, 15, 64, 577}) {
        INFO("width " << width);
        const at::Tensor x = at::sin(at::arange(width, at::kDouble)).to(at::kFloat).view({1, width});
        const at::Tensor weight =
            at::cos(at::arange(999 * width, at::kDouble) * 0.7).to(at::kFloat).view({999, width});
        const at::Tensor bias = at::arange(999, at::kFloat);
        at::set_num_threads(1);
        const at::Tensor one = engine::product(x, weight, bias);
        at::set_num_threads(3);
        const at::Tensor three = engine::product(x, weight, bias);
        CHECK(one.equal(three));
        const at::Tensor exact = at::linear(x.to(at::kDouble), weight.to(at::kDouble), bias.to(at::kDouble));
        CHECK((one - exact).abs().max().item<double>() < 1e-4);
    }
    at::set_num_threads(threads);
}

TEST_CASE("products of blocks with few rows are exact to rounding, also of part of each block's matrix")
{
    const c10::InferenceMode guard;
    for (const std::int64_t rows : {1, 3, 9}) {
        INFO("rows " << rows);
        const at::Tensor kept =
            at::cos(at::arange(4 * 50 * 24, at::kDouble) * 0.7).to(at::kFloat).view({4, 50, 24});
        const at::Tensor keys = kept.narrow(1, 0, 37);
        const at::Tensor queries =
            at::sin(at::arange(4 * rows * 24, at::kDouble)).to(at::kFloat).view({4, rows, 24});
        const at::Tensor scores = engine::scoresOfBlocks(queries, keys);
        const at::Tensor exact = at::bmm(queries.to(at::kDouble), keys.to(at::kDouble).transpose(1, 2));
        CHECK((scores - exact).abs().max().item<double>() < 1e-5);
        const at::Tensor mixes = engine::mixesOfBlocks(scores, keys);
        CHECK((mixes - at::bmm(exact, keys.to(at::kDouble))).abs().max().item<double>() < 1e-4);
    }
}

TEST_CASE("a weight of a narrower type is converted in blocks, and what they give is what the whole would")
{
    const std::int64_t rows = GENERATE(1, 3);
    const at::ScalarType type = GENERATE(at::kHalf, at::kBFloat16);
    const at::Tensor weight = at::cos(at::arange(1200 * 4096, at::kDouble) * 0.7)
                                  .to(type)
                                  .view({1200, 4096});  // more than one block
    const at::Tensor bias = at::sin(at::arange(1200, at::kDouble)).to(type);
    const at::Tensor x = at::sin(at::arange(rows * 4096, at::kDouble)).to(at::kFloat).view({rows, 4096});
    const at::Tensor y = engine::product(x, weight, bias);
    REQUIRE(y.scalar_type() == at::kFloat);
    REQUIRE(y.sizes() == at::IntArrayRef({rows, 1200}));
    const at::Tensor exact = at::linear(x.to(at::kDouble), weight.to(at::kDouble), bias.to(at::kDouble));
    CHECK((y - exact).abs().max().item<double>() < 1e-3);
    CHECK((y - engine::product(x, weight.to(at::kFloat), bias.to(at::kFloat))).abs().max().item<double>() <
          1e-3);
}
