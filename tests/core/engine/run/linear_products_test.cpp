#include "core/engine/run/kernel_targets.h"
#include "cuda/linear.h"

using namespace hs;

#ifdef HS_WITH_CUDA

namespace {

struct ProductCase {
    int rows = 7;
    int in = 33;
    int out = 65;
    int gap = 0;  // between rows of the input
    bool isTransposed = false;
    bool hasBias = false;
    bool hasGelu = false;
    bool hasAddend = false;
    bool isTf32 = false;
};

void checkProduct(const KernelTarget& target, cuda::LinearProducts& products, const ProductCase& shape)
{
    INFO(shape.rows << " x " << shape.in << " x " << shape.out << ", gap " << shape.gap
                    << (shape.isTransposed ? ", transposed" : "") << (shape.hasBias ? ", bias" : "")
                    << (shape.hasGelu ? ", gelu" : "") << (shape.hasAddend ? ", addend" : "")
                    << (shape.isTf32 ? ", TF32" : "") << " in " << target.type);
    const std::int64_t stride = shape.in + shape.gap;
    const at::Tensor x = randomOn(target, {shape.rows, stride}).narrow(1, 0, shape.in);
    at::Tensor weight = randomOn(target, {shape.out, shape.in}).div_(std::sqrt(double(shape.in)));
    if (shape.isTransposed)
        weight = weight.t().contiguous().t();
    const at::Tensor bias = shape.hasBias ? randomOn(target, {shape.out}) : at::Tensor();
    const at::Tensor addend = shape.hasAddend ? randomOn(target, {shape.rows, shape.out}) : at::Tensor();
    at::Tensor expected = at::linear(exact(x), exact(weight));
    if (shape.hasBias)
        expected = expected + exact(bias);
    if (shape.hasAddend)
        expected = expected + exact(addend);
    if (shape.hasGelu)
        expected = at::gelu(expected, "tanh");

    const at::Tensor y = randomOn(target, {shape.rows, shape.out});
    products.run({shape.rows, shape.in, shape.out, stride, shape.isTransposed, shape.hasBias, shape.hasGelu,
                  shape.hasAddend, shape.isTf32, target.precision()},
                 {x.data_ptr(), weight.data_ptr(), dataOf(bias), dataOf(addend), y.data_ptr()},
                 c10::cuda::getCurrentCUDAStream().stream());
    CHECK(distance(y, expected) < (shape.isTf32 ? std::max(2e-3, target.tolerance) : target.tolerance));
}

}  // namespace

TEST_CASE("a product is that of torch, with any of its parts")
{
    at::manual_seed(1);
    for (const KernelTarget& target : kernelTargets()) {
        cuda::LinearProducts products;
        for (const int width : {33, 64})
            for (const bool isTransposed : {false, true})
                for (const bool hasBias : {false, true})
                    for (const bool hasGelu : {false, true})
                        for (const bool hasAddend : {false, true})
                            checkProduct(target, products,
                                         {7, width, width + 1, 0, isTransposed, hasBias, hasGelu, hasAddend});
    }
}

TEST_CASE("a product is that of torch, for every size, with gaps between rows or none")
{
    at::manual_seed(2);
    for (const KernelTarget& target : kernelTargets()) {
        cuda::LinearProducts products;
        for (const int in : {1, 3, 8, 33, 768, 4096})
            for (const int out : {1, 3, 8, 33, 768, 4096})
                for (const int gap : {0, 5, in})
                    checkProduct(target, products,
                                 {.in = in, .out = out, .gap = gap, .hasBias = true, .hasAddend = true});
        for (int rows = 1; rows <= 70; ++rows)
            checkProduct(target, products, {.rows = rows, .isTransposed = rows % 2 == 0, .hasBias = true});
        checkProduct(target, products, {.rows = 1, .in = 768, .out = 50257});
    }
}

TEST_CASE("a product with factors rounded to TF32 is near that of torch")
{
    at::manual_seed(3);
    for (const KernelTarget& target : kernelTargets()) {
        cuda::LinearProducts products;
        checkProduct(target, products, {.in = 768, .out = 768, .hasBias = true, .isTf32 = true});
    }
}

TEST_CASE("a product of the same shape takes its operands from where they are now")
{
    at::manual_seed(4);
    for (const KernelTarget& target : kernelTargets()) {
        cuda::LinearProducts products;
        for (int round = 0; round < 3; ++round)
            checkProduct(target, products, {.hasBias = true, .hasAddend = true});
    }
}

#else

TEST_CASE("a product is that of torch")
{
    test::skipTest("this build has no CUDA");
}

#endif
