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
