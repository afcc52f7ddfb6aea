#include "core/train/fused_targets.h"
#include "train/fused_ops_tensors.h"

#include <ATen/core/grad_mode.h>

namespace hs {
namespace {

at::Tensor plainNorm(const at::Tensor& x, const at::Tensor& scale, double eps)
{
    const at::Tensor normed = x * (x.square().mean(-1, true) + eps).rsqrt();
    return scale.defined() ? normed * scale : normed;
}

at::Tensor plainActivation(const at::Tensor& x, model::Activation activation)
{
    switch (activation) {
    case model::Activation::Relu: return at::relu(x);
    case model::Activation::Gelu: return at::gelu(x);
    case model::Activation::GeluTanh: return at::gelu(x, "tanh");
    case model::Activation::QuickGelu: return x * at::sigmoid(x * 1.702);
    case model::Activation::Silu: break;
    }
    return at::silu(x);
}

}  // namespace

TEST_CASE("fused RMS norm has the values and gradients of the plain one")
{
    at::manual_seed(11);
    constexpr double kEps = 1e-5;
    for (const FusedTarget& target : fusedTargets())
        for (const int width : {1, 7, 24, 48, 96, 288, 1000, 4096})
            for (const bool hasScale : {true, false}) {
                INFO("width " << width << " on " << target.device << " in " << target.type);
                const at::Tensor x = randomOn(target, {3, 23, width}).requires_grad_(true);
                const at::Tensor scale =
                    hasScale ? randomOn(target, {width}).requires_grad_(true) : at::Tensor();
                const at::Tensor dy = randomOn(target, {3, 23, width});
                const at::Tensor exactX = exactLeaf(x);
                const at::Tensor exactScale = hasScale ? exactLeaf(scale) : at::Tensor();
                const at::Tensor y = train::fusedRmsNorm(x, scale, kEps);
                const at::Tensor plain = plainNorm(exactX, exactScale, kEps);
                CHECK(distance(y, plain) < target.tolerance);
                y.backward(dy);
                plain.backward(dy.to(at::kCPU, at::kDouble));
                if (width > 1)  // a row of one number has next to no slope
                    CHECK(distance(x.grad(), exactX.grad()) < target.tolerance);
                if (hasScale)
                    CHECK(distance(scale.grad(), exactScale.grad()) < target.tolerance);
            }
}

TEST_CASE("fused RMS norm sums the gradient of its scale over many rows in one order")
{
    at::manual_seed(12);
    for (const FusedTarget& target : fusedTargets()) {
        const at::Tensor x = randomOn(target, {5000, 40});
        const at::Tensor dy = randomOn(target, {5000, 40});
        const auto gradient = [&] {
            const at::Tensor scale = at::ones({40}, target.options()).requires_grad_(true);
            train::fusedRmsNorm(x, scale, 1e-6).backward(dy);
            return scale.grad();
        };
        const at::Tensor exact = at::ones({40}, at::kDouble).requires_grad_(true);
        plainNorm(exactLeaf(x), exact, 1e-6).backward(dy.to(at::kCPU, at::kDouble));
        CHECK(distance(gradient(), exact.grad()) < target.tolerance);
        CHECK(at::equal(gradient(), gradient()));
    }
}

TEST_CASE("fused gated activations have the values and gradients of the plain ones")
{
    at::manual_seed(13);
    for (const FusedTarget& target : fusedTargets())
        for (const model::Activation activation :
             {model::Activation::Relu, model::Activation::Gelu, model::Activation::GeluTanh,
              model::Activation::QuickGelu, model::Activation::Silu})
            for (const int width : {1, 5, 64, 768}) {
                INFO("activation " << static_cast<int>(activation) << ", width " << width << " on "
                                   << target.device << " in " << target.type);
                const at::Tensor inner = (randomOn(target, {37, 2 * width}) * 2).requires_grad_(true);
                const at::Tensor dy = randomOn(target, {37, width});
                const at::Tensor exact = exactLeaf(inner);
                const at::Tensor y = train::fusedGatedActivation(inner, activation);
                const at::Tensor plain =
                    plainActivation(exact.narrow(1, 0, width), activation) * exact.narrow(1, width, width);
                CHECK(distance(y, plain) < target.tolerance);
                y.backward(dy);
                plain.backward(dy.to(at::kCPU, at::kDouble));
                CHECK(distance(inner.grad(), exact.grad()) < target.tolerance);
            }
}

TEST_CASE("fused token losses have the values and gradients of the plain ones")
{
    at::manual_seed(14);
    constexpr int kRows = 19;
    for (const FusedTarget& target : fusedTargets())
        for (const int vocabulary : {2, 7, 207, 2049, 9001, 32000})
            for (const int wanted : {0, 1, 2}) {  // gradients of both losses, or of one
                INFO("vocabulary " << vocabulary << ", wanted " << wanted << " on " << target.device << " in "
                                   << target.type);
                const at::Tensor logits = (randomOn(target, {kRows, vocabulary}) * 3).requires_grad_(true);
                const at::Tensor teacher = randomOn(target, {kRows, vocabulary}) * 3;
                const at::Tensor targets = at::randint(vocabulary, {kRows}, at::kLong).to(target.device);
                const at::Tensor dEntropy = at::randn({kRows}).to(target.device);
                const at::Tensor dDivergence = at::randn({kRows}).to(target.device);
                const at::Tensor exact = exactLeaf(logits);
                const at::Tensor ours = at::log_softmax(exact, -1);
                const at::Tensor theirs = at::log_softmax(teacher.to(at::kCPU, at::kDouble), -1);
                const at::Tensor entropy = -ours.gather(1, targets.cpu().unsqueeze(1)).squeeze(1);
                const at::Tensor divergence = (theirs.exp() * (theirs - ours)).sum(-1);
                const train::TokenLosses losses = train::fusedTokenLosses(logits, teacher, targets);
                CHECK(distance(losses.crossEntropy, entropy) < 1e-5);
                CHECK(distance(losses.divergence, divergence) < 1e-5);
                const auto objective = [&](const at::Tensor& one, const at::Tensor& other) {
                    const at::Tensor first = (one * dEntropy.to(one.device(), one.scalar_type())).sum();
                    const at::Tensor second = (other * dDivergence.to(one.device(), one.scalar_type())).sum();
                    return wanted == 0 ? first + second : wanted == 1 ? first : second;
                };
                objective(losses.crossEntropy, losses.divergence).backward();
                objective(entropy, divergence).backward();
                CHECK(distance(logits.grad(), exact.grad()) < target.tolerance);
            }
}

TEST_CASE("fused token losses do without a teacher, and without targets that are no tokens")
{
    at::manual_seed(15);
    for (const FusedTarget& target : fusedTargets()) {
        const at::Tensor logits = randomOn(target, {3, 50}).requires_grad_(true);
        const at::Tensor targets = at::tensor({4, -1, 49}, at::kLong).to(target.device);
        const train::TokenLosses losses = train::fusedTokenLosses(logits, {}, targets);
        CHECK_FALSE(losses.divergence.defined());
        CHECK(losses.crossEntropy[1].item<double>() == 0);
        losses.crossEntropy.sum().backward();
        CHECK(logits.grad()[1].abs().sum().item<double>() == 0);
        CHECK(logits.grad()[0].to(at::kFloat).sum().item<double>() == Approx(0).margin(5e-3));
        CHECK(logits.grad()[0][4].item<double>() < 0);
    }
}

TEST_CASE("fused operations keep nothing for a gradient that nobody wants")
{
    const c10::NoGradGuard guard;
    const at::Tensor x = at::randn({4, 8}).requires_grad_(true);
    CHECK_FALSE(train::fusedRmsNorm(x, {}, 1e-6).requires_grad());
    CHECK_FALSE(train::fusedGatedActivation(x, model::Activation::Silu).requires_grad());
    CHECK_FALSE(train::fusedTokenLosses(x, {}, at::zeros({4}, at::kLong)).crossEntropy.requires_grad());
}

TEST_CASE("fused operations answer in the type they were asked in")
{
    const at::Tensor x = at::randn({4, 8}).to(at::kBFloat16).requires_grad_(true);
    const at::Tensor y =
        train::fusedRmsNorm(train::fusedGatedActivation(x, model::Activation::Silu), {}, 1e-6);
    CHECK(y.scalar_type() == at::kBFloat16);
    y.sum().backward();
    CHECK(x.grad().scalar_type() == at::kBFloat16);
}

}  // namespace hs
