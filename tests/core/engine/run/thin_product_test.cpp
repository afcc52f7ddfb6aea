#include "core/engine/run/kernel_targets.h"
#include "cuda/thin_product.h"

using namespace hs;

namespace {

struct ThinCase {
    int rows = 7;
    int in = 64;
    int out = 72;
    int gap = 0;  // between rows of the input
    bool isTransposed = false;
    bool hasBias = true;
    bool hasGelu = false;
    bool hasAddend = true;
};

struct ThinTensors {
    at::Tensor x;
    at::Tensor weight;
    at::Tensor bias;
    at::Tensor addend;
    at::Tensor y;

    ThinTensors(const KernelTarget& target, const ThinCase& shape)
        : x(randomOn(target, {shape.rows, shape.in + shape.gap}).narrow(1, 0, shape.in)),
          weight(randomOn(target, {shape.out, shape.in}).div_(std::sqrt(double(shape.in)))),
          y(randomOn(target, {shape.rows, shape.out}))
    {
        if (shape.isTransposed)
            weight = weight.t().contiguous().t();
        if (shape.hasBias)
            bias = randomOn(target, {shape.out});
        if (shape.hasAddend)
            addend = randomOn(target, {shape.rows, shape.out});
    }

    cuda::ThinProduct problem(const ThinCase& shape) const
    {
        const auto numbers = [](const at::Tensor& tensor) {
            return tensor.defined() ? tensor.data_ptr<float>() : nullptr;
        };
        return {shape.rows,         shape.in,        shape.out,  x.stride(0),
                shape.isTransposed, shape.hasGelu,   numbers(x), numbers(weight),
                numbers(bias),      numbers(addend), numbers(y)};
    }

    at::Tensor expected(const ThinCase& shape) const
    {
        at::Tensor sums = at::matmul(exact(x), exact(weight).t());
        if (shape.hasBias)
            sums = sums + exact(bias);
        if (shape.hasAddend)
            sums = sums + exact(addend);
        return shape.hasGelu ? at::gelu(sums, "tanh") : sums;
    }
};

void checkThin(const KernelTarget& target, const ThinCase& shape)
{
    INFO(shape.rows << " x " << shape.in << " x " << shape.out << ", gap " << shape.gap
                    << (shape.isTransposed ? ", transposed" : "") << (shape.hasBias ? ", bias" : "")
                    << (shape.hasGelu ? ", gelu" : "") << (shape.hasAddend ? ", addend" : "") << " on "
                    << target.device);
    const ThinTensors tensors(target, shape);
    const cuda::ThinProduct problem = tensors.problem(shape);
    launchOn(
        target,
        [&](auto stream) {
            REQUIRE(cuda::isThin(problem));
            cuda::multiplyThin(problem, stream);
        },
        [&] {
            cuda::multiplyThinTwin(problem, 0, shape.out / 2);
            cuda::multiplyThinTwin(problem, shape.out / 2, shape.out);
        });
    CHECK(distance(tensors.y, tensors.expected(shape)) < target.tolerance);
}

std::vector<KernelTarget> floatTargets()
{
    std::vector<KernelTarget> targets = twinAndKernelTargets();
    std::erase_if(targets, [](const KernelTarget& target) { return target.type != at::kFloat; });
    return targets;
}

}  // namespace

TEST_CASE("a thin product is that of torch, with any of its parts")
{
    at::manual_seed(1);
    for (const KernelTarget& target : floatTargets())
        for (const bool isTransposed : {false, true})
            for (const bool hasBias : {false, true})
                for (const bool hasGelu : {false, true})
                    for (const bool hasAddend : {false, true})
                        checkThin(target, {.isTransposed = isTransposed,
                                           .hasBias = hasBias,
                                           .hasGelu = hasGelu,
                                           .hasAddend = hasAddend});
}

TEST_CASE("a thin product is that of torch, for every number of rows and for sizes of all kinds")
{
    at::manual_seed(2);
    for (const KernelTarget& target : floatTargets()) {
        for (int rows = 1; rows <= cuda::kMostThinRows; ++rows)
            checkThin(target, {.rows = rows, .isTransposed = rows % 2 == 0});
        for (const bool isTransposed : {false, true})
            for (const int in : {16, 32, 112, 256, 768, 3072})
                for (const int out : {4, 8, 20, 36, 768, 2304})
                    checkThin(target,
                              {.rows = 33, .in = in, .out = out, .gap = 4, .isTransposed = isTransposed});
    }
}

#ifdef HS_WITH_CUDA

TEST_CASE("a product that the thin kernel cannot read, or has no room for, is not called thin")
{
    if (!at::hasCUDA())
        test::skipTest("there is no GPU");
    const KernelTarget target{at::Device(at::kCUDA, 0), at::kFloat, 1e-5};
    const auto isThin = [&](const ThinCase& shape) {
        return cuda::isThin(ThinTensors(target, shape).problem(shape));
    };
    CHECK(isThin({}));
    CHECK_FALSE(isThin({.rows = cuda::kMostThinRows + 1}));
    CHECK_FALSE(isThin({.in = 65}));
    CHECK_FALSE(isThin({.out = 73}));
    CHECK_FALSE(isThin({.gap = 1}));
    CHECK_FALSE(isThin({.out = 100'000}));
}

#endif
