#include "core/engine/run/kernel_targets.h"
#include "cuda/logit_sum.h"
#include "cuda/mlp_activation.h"
#include "cuda/row_norm.h"

using namespace hs;

namespace {

struct NormCase {
    int rows = 5;
    int width = 64;
    bool isRms = false;
    bool hasScale = true;
    bool hasBias = true;
    bool hasAddend = true;
    std::int64_t offset = 0;  // in numbers, from an aligned address
};

void checkNorm(const KernelTarget& target, const NormCase& shape)
{
    INFO(shape.rows << " x " << shape.width << (shape.isRms ? ", RMS" : ", mean")
                    << (shape.hasScale ? ", scale" : "") << (shape.hasBias ? ", bias" : "")
                    << (shape.hasAddend ? ", addend" : "") << ", offset " << shape.offset << " on "
                    << target.device << " in " << target.type);
    const auto random = [&](bool isWanted, at::IntArrayRef sizes) {
        return isWanted ? randomOn(target, sizes, shape.offset) : at::Tensor();
    };
    const at::Tensor x = random(true, {shape.rows, shape.width}).add_(0.5);
    const at::Tensor scale = random(shape.hasScale, {shape.width});
    const at::Tensor bias = random(shape.hasBias, {shape.width});
    const at::Tensor addend = random(shape.hasAddend, {shape.rows, shape.width});
    constexpr float kEps = 0.1f;  // large enough to matter if left out
    const auto normInto = [&](const at::Tensor& y) {
        const cuda::RowNormProblem problem{shape.rows,         shape.width,  shape.isRms,   kEps,
                                           target.precision(), x.data_ptr(), dataOf(scale), dataOf(bias),
                                           dataOf(addend),     y.data_ptr()};
        launchOn(
            target, [&](auto stream) { cuda::rowNorm(problem, stream); },
            [&] {
                cuda::rowNormTwin(problem, 0, shape.rows / 2);
                cuda::rowNormTwin(problem, shape.rows / 2, shape.rows);
            });
    };

    at::Tensor expected = exact(x);
    if (!shape.isRms)
        expected = expected - expected.mean(-1, true);
    expected = expected * (expected.square().mean(-1, true) + kEps).rsqrt();
    if (shape.hasScale)
        expected = expected * exact(scale);
    if (shape.hasBias)
        expected = expected + exact(bias);
    if (shape.hasAddend)
        expected = expected + exact(addend);

    const at::Tensor y = random(true, {shape.rows, shape.width});
    normInto(y);
    CHECK(distance(y, expected) < target.tolerance);
    if (shape.hasAddend) {
        normInto(addend);
        CHECK(addend.equal(y));
    }
}

at::Tensor plainActivation(const at::Tensor& x, cuda::ActivationKind activation)
{
    switch (activation) {
    case cuda::ActivationKind::Relu: return at::relu(x);
    case cuda::ActivationKind::Gelu: return at::gelu(x);
    case cuda::ActivationKind::GeluTanh: return at::gelu(x, "tanh");
    case cuda::ActivationKind::QuickGelu: return x * at::sigmoid(x * 1.702);
    case cuda::ActivationKind::Silu: break;
    }
    return at::silu(x);
}

struct ActivationCase {
    int rows = 5;
    int width = 64;
    bool isGated = false;
    cuda::ActivationKind activation = cuda::ActivationKind::Silu;
    double spread = 2;  // of the input
    std::int64_t offset = 0;
};

void checkActivation(const KernelTarget& target, const ActivationCase& shape)
{
    INFO("activation " << static_cast<int>(shape.activation) << (shape.isGated ? ", gated, " : ", ")
                       << shape.rows << " x " << shape.width << ", spread " << shape.spread << ", offset "
                       << shape.offset << " on " << target.device << " in " << target.type);
    const std::int64_t stride = shape.isGated ? 2 * shape.width : shape.width;
    const at::Tensor inner = randomOn(target, {shape.rows, stride}, shape.offset).mul_(shape.spread);
    at::Tensor expected = exact(inner).clone();
    at::Tensor active = expected.narrow(1, 0, shape.width);
    active.copy_(plainActivation(active, shape.activation));
    if (shape.isGated)
        active.mul_(expected.narrow(1, shape.width, shape.width));

    const cuda::MlpActivation problem{shape.rows,       shape.width,        shape.isGated,
                                      shape.activation, target.precision(), inner.data_ptr()};
    launchOn(
        target, [&](auto stream) { cuda::activateMlp(problem, stream); },
        [&] {
            cuda::activateMlpTwin(problem, 0, shape.rows / 2);
            cuda::activateMlpTwin(problem, shape.rows / 2, shape.rows);
        });
    CHECK(distance(inner.narrow(1, 0, shape.width), active) < target.tolerance);
    if (shape.isGated)
        CHECK(exact(inner.narrow(1, shape.width, shape.width))
                  .equal(expected.narrow(1, shape.width, shape.width)));
}

constexpr cuda::ActivationKind kActivations[] = {cuda::ActivationKind::Relu, cuda::ActivationKind::Gelu,
                                                 cuda::ActivationKind::GeluTanh,
                                                 cuda::ActivationKind::QuickGelu, cuda::ActivationKind::Silu};

}  // namespace

TEST_CASE("a norm of rows gives what torch gives, with any of its parts, for every width")
{
    at::manual_seed(1);
    for (const KernelTarget& target : twinAndKernelTargets())
        for (const int width : {1, 3, 8, 33, 64, 768, 1001, 4096, 4099, cuda::kMostNormWidth})
            for (const bool isRms : {false, true})
                for (const bool hasScale : {false, true})
                    for (const bool hasBias : {false, true})
                        for (const bool hasAddend : {false, true})
                            checkNorm(target, {7, width, isRms, hasScale, hasBias, hasAddend});
}

TEST_CASE("a norm of rows gives what torch gives, for any number of rows that begin anywhere")
{
    at::manual_seed(2);
    for (const KernelTarget& target : twinAndKernelTargets())
        for (const bool isRms : {false, true}) {
            for (int rows = 1; rows <= 70; ++rows)
                checkNorm(target, {.rows = rows, .width = 40, .isRms = isRms});
            for (const int offset : {1, 2, 4, 8})
                checkNorm(target, {.isRms = isRms, .offset = offset});
        }
}

TEST_CASE("an MLP's activation gives what torch gives, gated or not, for every kind and width")
{
    at::manual_seed(3);
    for (const KernelTarget& target : twinAndKernelTargets())
        for (const cuda::ActivationKind activation : kActivations)
            for (const bool isGated : {false, true}) {
                for (const int width : {1, 3, 8, 33, 64, 768, 4096})
                    checkActivation(target, {7, width, isGated, activation});
                for (const int rows : {1, 2, 33, 70})
                    checkActivation(target, {rows, 40, isGated, activation});
                checkActivation(target, {.isGated = isGated, .activation = activation, .offset = 1});
            }
}

TEST_CASE("an MLP's activation stays finite far from zero")
{
    at::manual_seed(4);
    for (const KernelTarget& target : twinAndKernelTargets())
        for (const cuda::ActivationKind activation : kActivations)
            checkActivation(target, {.activation = activation, .spread = 1000});
}

TEST_CASE("the sum of logits gives what torch gives, for every vocabulary and however large they are")
{
    at::manual_seed(5);
    for (const KernelTarget& target : twinAndKernelTargets())
        for (const int vocabulary : {1, 7, 1000, 50257})
            for (const double shift : {0.0, 1000.0, -1000.0}) {
                INFO(vocabulary << " tokens around " << shift << " on " << target.device << " in "
                                << target.type);
                const at::Tensor logits = randomOn(target, {vocabulary}).mul_(4).add_(shift);
                const at::Tensor result = at::zeros({vocabulary + 1}).to(target.device);
                const at::Tensor scratch = at::zeros({cuda::kLogitScratch}).to(target.device);
                const cuda::LogitProblem problem{vocabulary, target.precision(), logits.data_ptr(),
                                                 result.data_ptr<float>(), scratch.data_ptr<float>()};
                launchOn(
                    target, [&](auto stream) { cuda::sumLogits(problem, stream); },
                    [&] { cuda::sumLogitsTwin(problem); });
                CHECK(exact(result.narrow(0, 0, vocabulary)).equal(exact(logits)));
                const double expected = at::logsumexp(exact(logits), 0).item<double>();
                CHECK(result[vocabulary].item<double>() == Approx(expected).epsilon(1e-6).margin(1e-6));
            }
}
