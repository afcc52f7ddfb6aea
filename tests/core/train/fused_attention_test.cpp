#include "core/train/fused_attention_case.h"
#include "support/skip.h"

namespace hs {
namespace {

void checkAgainstPlain(const AttentionCase& shape, const FusedTarget& target)
{
    INFO(shape.describe() << " on " << target.device << " in " << target.type);
    // In bfloat16 a gate whose score is all but zero opens for one of them and not for the other.
    const bool mayPart = target.type == at::kBFloat16 && shape.gate != TriedGate::None;
    const double tolerance = mayPart ? 3 * target.tolerance : target.tolerance;
    const AttentionInputs inputs = randomInputs(shape, target);
    const at::Tensor qkv = inputs.qkv.clone().requires_grad_(true);
    const at::Tensor exact = exactLeaf(inputs.qkv);
    const train::GatedAttention fused = fusedOf(shape, qkv);
    const train::GatedAttention plain = plainOf(shape, exact);
    CHECK(distance(fused.z, plain.z) < tolerance);
    CHECK(fused.z.scalar_type() == target.type);
    if (shape.gate != TriedGate::None) {
        const bool isExact = target.type == at::kFloat;
        CHECK(distance(fused.expected, plain.expected) < target.tolerance);
        CHECK(distance(fused.active, plain.active) < (isExact ? 1e-9 : target.tolerance));
        CHECK_FALSE(fused.active.requires_grad());
    }
    // In the kernel's own type, as the rest of a training step would pass it back.
    objectiveOf(shape, fused, inputs.dz, inputs.dExpected).backward();
    objectiveOf(shape, plain, inputs.dz.to(at::kCPU, at::kDouble), inputs.dExpected.to(at::kCPU, at::kDouble))
        .backward();
    CHECK(distance(qkv.grad(), exact.grad()) < tolerance);
}

train::AttentionForm formOf(int heads, int kvHeads, int headDim, int window = 0)
{
    return {heads, kvHeads, headDim, window, 1 / std::sqrt(double(headDim))};
}

void checkEverywhere(const AttentionCase& shape)
{
    for (const FusedTarget& target : fusedTargets())
        checkAgainstPlain(shape, target);
}

constexpr TriedGate kGates[] = {TriedGate::None, TriedGate::Threshold, TriedGate::Sampled};

}  // namespace

TEST_CASE("fused attention has the values and gradients of the plain one at every length")
{
    at::manual_seed(1);
    for (const int length : {1, 2, 3, 7, 15, 16, 17, 31, 32, 33, 47, 63, 64, 65, 70})
        for (const TriedGate gate : kGates)
            checkEverywhere({{length, (length + 1) / 2}, formOf(2, 2, 24), 12, gate});
}

TEST_CASE("fused attention has the values and gradients of the plain one for every head size")
{
    at::manual_seed(2);
    for (const int headDim : {1, 6, 8, 20, 24, 32, 48, 64, 80, 128, 256})
        for (const TriedGate gate : kGates) {
            checkEverywhere({{40}, formOf(2, 1, headDim), headDim / 2, gate});
            checkEverywhere({{9}, formOf(1, 1, headDim), 0, gate});
        }
}

TEST_CASE("fused attention has the values and gradients of the plain one with shared keys and windows")
{
    at::manual_seed(3);
    for (const TriedGate gate : kGates)
        for (const int window : {0, 1, 5, 33, 64}) {
            checkEverywhere({{67, 1, 66, 30}, formOf(6, 2, 8, window), 4, gate});
            checkEverywhere({{130, 100}, formOf(4, 1, 16, window), 3, gate});
        }
}

TEST_CASE("fused attention takes a gradient of z alone, of the density alone, and of empty prompts")
{
    at::manual_seed(4);
    AttentionCase shape{{12, 0, 7}, formOf(2, 1, 8), 4, TriedGate::Sampled};
    shape.hasDensityGradient = false;
    checkEverywhere(shape);
    shape.hasDensityGradient = true;
    shape.hasOutputGradient = false;
    checkEverywhere(shape);
    shape.gate = TriedGate::Threshold;
    checkEverywhere(shape);
}

TEST_CASE("the gradient of fused attention is the slope that small steps find")
{
    at::manual_seed(5);
    // Straight-through gradients are not slopes, so a gate is tried with the expected density alone.
    AttentionCase ungated{{11, 8}, formOf(2, 1, 8), 2, TriedGate::None};
    AttentionCase density{{11, 8}, formOf(2, 1, 8), 2, TriedGate::Threshold};
    density.hasOutputGradient = false;
    for (const AttentionCase& shape : {ungated, density})
        for (const FusedTarget& target : fusedTargets()) {
            if (target.type != at::kFloat)
                continue;
            const AttentionInputs inputs = randomInputs(shape, target);
            const auto objective = [&](const at::Tensor& qkv) {
                return objectiveOf(shape, fusedOf(shape, qkv), inputs.dz, inputs.dExpected);
            };
            const at::Tensor qkv = inputs.qkv.clone().requires_grad_(true);
            objective(qkv).backward();
            const at::Tensor direction = at::randn_like(inputs.qkv);
            constexpr double kStep = 1e-2;
            const double ahead = objective(inputs.qkv + kStep * direction).item<double>();
            const double back = objective(inputs.qkv - kStep * direction).item<double>();
            const double slope = (qkv.grad() * direction).sum().item<double>();
            CHECK((ahead - back) / (2 * kStep) == Approx(slope).epsilon(0.01).margin(0.01));
        }
}

TEST_CASE("the density of the fused gate is a count by hand")
{
    // One head of size 1 whose queries are 1 and whose keys alternate between +1 and -1; bias 0.25.
    AttentionCase shape{{5, 2}, {1, 1, 1, 0, 1.0}, 0, TriedGate::Threshold};
    at::Tensor qkv = at::ones({10, 3});
    for (int row = 1; row < 10; row += 2)
        qkv[row][1] = -1;
    // The second prompt's rows begin at 5, so its first key is -1 and its second is +1.
    const double up = 1 / (1 + std::exp(-1.25));
    const double down = 1 / (1 + std::exp(0.75));
    for (const FusedTarget& target : fusedTargets()) {
        const train::GatedAttention all = fusedOf(shape, qkv.to(target.device, target.type));
        CHECK(all.active[0][0].item<double>() == 1 + 1 + 2 + 2 + 3);
        CHECK(all.active[1][0].item<double>() == 0 + 1);
        CHECK(all.expected[0][0].item<double>() == Approx(9 * up + 6 * down).epsilon(1e-5));
        CHECK(all.expected[1][0].item<double>() == Approx(2 * down + up).epsilon(1e-5));
        // A prompt's padding neither attends nor is counted.
        CHECK(all.z.narrow(0, 7, 3).abs().sum().item<double>() == 0);

        AttentionCase narrow = shape;
        narrow.form.window = 2;
        const train::GatedAttention near = fusedOf(narrow, qkv.to(target.device, target.type));
        CHECK(near.active[0][0].item<double>() == 5);
        CHECK(near.expected[0][0].item<double>() == Approx(5 * up + 4 * down).epsilon(1e-5));
    }
}

TEST_CASE("sampled gates open as often as expected, and alike for the same seed")
{
    at::manual_seed(6);
    const AttentionCase shape{{64, 64}, formOf(4, 4, 8), 0, TriedGate::Sampled};
    for (const FusedTarget& target : fusedTargets()) {
        const at::Tensor qkv = randomInputs(shape, target).qkv;
        const train::GatedAttention once = fusedOf(shape, qkv);
        const train::GatedAttention again = fusedOf(shape, qkv);
        CHECK(at::equal(once.z, again.z));
        CHECK(at::equal(once.active, again.active));
        const double expected = once.expected.sum().item<double>();
        const double cells = 8 * 64 * 65 / 2;
        CHECK(std::abs(once.active.sum().item<double>() - expected) < 5 * std::sqrt(cells / 4));
    }
}

TEST_CASE("the gates' noise is uniform and differs from cell to cell")
{
    double sum = 0;
    double squares = 0;
    double product = 0;
    constexpr int kRows = 200;
    constexpr int kKeys = 100;
    float last = 0.5f;
    for (int row = 0; row < kRows; ++row)
        for (int key = 0; key < kKeys; ++key) {
            const float u = cuda::noiseOfCell(cuda::noiseOfRow(1, 2, row / 20, row % 4, row), key);
            REQUIRE((u > 0 && u < 1));
            sum += u;
            squares += u * u;
            product += (u - 0.5) * (last - 0.5);
            last = u;
        }
    constexpr double kCells = kRows * kKeys;
    CHECK(sum / kCells == Approx(0.5).margin(0.01));
    CHECK(squares / kCells == Approx(1 / 3.0).margin(0.01));
    CHECK(product / kCells == Approx(0).margin(0.003));
    CHECK(cuda::noiseOfRow(1, 2, 3, 4, 5) != cuda::noiseOfRow(2, 2, 3, 4, 5));
    CHECK(cuda::noiseOfRow(1, 2, 3, 4, 5) != cuda::noiseOfRow(1, 3, 3, 4, 5));
    CHECK(cuda::noiseOfRow(1, 2, 3, 4, 5) != cuda::noiseOfRow(1, 2, 5, 4, 3));
}

TEST_CASE("the attention kernels equal their twins")
{
    if (!at::hasCUDA())
        test::skipTest("there is no GPU");
    at::manual_seed(7);
    for (const TriedGate gate : kGates)
        for (const FusedTarget& target : fusedTargets()) {
            const AttentionCase shape{{256, 256, 200}, formOf(6, 3, 48), 24, gate};
            const AttentionInputs inputs = randomInputs(shape, target);
            const auto gradientOn = [&](at::Device device, at::ScalarType type, at::Tensor& z) {
                const at::Tensor qkv = inputs.qkv.to(device, type).detach().clone().requires_grad_(true);
                const train::GatedAttention attention = fusedOf(shape, qkv);
                objectiveOf(shape, attention, inputs.dz.to(device, type), inputs.dExpected.to(device))
                    .backward();
                z = attention.z.detach();
                return qkv.grad();
            };
            at::Tensor z;
            at::Tensor twinZ;
            const at::Tensor gradient = gradientOn(target.device, target.type, z);
            const at::Tensor twinGradient = gradientOn(at::kCPU, at::kFloat, twinZ);
            CHECK(distance(z, twinZ) < target.tolerance);
            CHECK(distance(gradient, twinGradient) < target.tolerance);
        }
}

}  // namespace hs
