#include "core/engine/run/kernel_targets.h"
#include "cuda/head_preparation.h"

using namespace hs;

namespace {

struct PreparationCase {
    int length = 9;
    int heads = 4;
    int kvHeads = 2;
    int headDim = 16;
    float clip = 0;
    int rotatedPairs = 0;
    cuda::HeadNorm norm = cuda::HeadNorm::None;
    bool hasScale = true;

    int scaleWidth(int count) const { return norm == cuda::HeadNorm::PerHead ? headDim : count * headDim; }
};

constexpr float kNormEps = 0.1f;  // large enough to matter if left out

/// The norm of queries or keys applied to heads side by side.
at::Tensor plainNorm(const at::Tensor& heads, cuda::HeadNorm norm, const at::Tensor& scale)
{
    if (norm == cuda::HeadNorm::None)
        return heads;
    const at::Tensor rows = norm == cuda::HeadNorm::PerHead ? heads : heads.flatten(1);
    const at::Tensor normed = rows * (rows.square().mean(-1, true) + kNormEps).rsqrt();
    return (scale.defined() ? normed * exact(scale) : normed).view(heads.sizes());
}

at::Tensor plainTurn(const at::Tensor& heads, const at::Tensor& cos, const at::Tensor& sin)
{
    const std::int64_t pairs = cos.size(1);
    const at::Tensor first = heads.narrow(2, 0, pairs);
    const at::Tensor second = heads.narrow(2, pairs, pairs);
    const at::Tensor c = exact(cos).unsqueeze(1);
    const at::Tensor s = exact(sin).unsqueeze(1);
    return at::cat({first * c - second * s, second * c + first * s,
                    heads.narrow(2, 2 * pairs, heads.size(2) - 2 * pairs)},
                   2);
}

void checkPreparation(const KernelTarget& target, const PreparationCase& shape)
{
    INFO(shape.length << " tokens, heads " << shape.heads << "/" << shape.kvHeads << " x " << shape.headDim
                      << ", clip " << shape.clip << ", pairs " << shape.rotatedPairs << ", norm "
                      << static_cast<int>(shape.norm) << (shape.hasScale ? ", scale" : "") << " on "
                      << target.device << " in " << target.type);
    const std::int64_t slots = shape.heads + 2 * shape.kvHeads;
    const at::Tensor qkv = randomOn(target, {shape.length, slots, shape.headDim});
    const auto scaleOf = [&](int count) {
        return shape.hasScale ? randomOn(target, {shape.scaleWidth(count)}) : at::Tensor();
    };
    const at::Tensor queryScale = scaleOf(shape.heads);
    const at::Tensor keyScale = scaleOf(shape.kvHeads);
    const at::Tensor angles = at::randn({shape.length, shape.rotatedPairs});
    const at::Tensor cos = angles.cos().to(target.device);
    const at::Tensor sin = angles.sin().to(target.device);

    const at::Tensor clipped =
        shape.clip > 0 ? exact(qkv).clamp(-shape.clip, shape.clip) : exact(qkv).clone();
    const auto prepared = [&](int first, int count, const at::Tensor& scale) {
        return plainTurn(plainNorm(clipped.narrow(1, first, count), shape.norm, scale), cos, sin);
    };
    const at::Tensor expected =
        at::cat({prepared(0, shape.heads, queryScale), prepared(shape.heads, shape.kvHeads, keyScale),
                 clipped.narrow(1, shape.heads + shape.kvHeads, shape.kvHeads)},
                1);

    cuda::HeadPreparation problem;
    problem.length = shape.length;
    problem.heads = shape.heads;
    problem.kvHeads = shape.kvHeads;
    problem.headDim = shape.headDim;
    problem.clip = shape.clip;
    problem.rotatedPairs = shape.rotatedPairs;
    problem.norm = shape.norm;
    problem.eps = kNormEps;
    problem.precision = target.precision();
    problem.qkv = qkv.data_ptr();
    problem.queryScale = dataOf(queryScale);
    problem.keyScale = dataOf(keyScale);
    problem.cos = cos.data_ptr<float>();
    problem.sin = sin.data_ptr<float>();
    if (!problem.isNeeded())
        return;
    launchOn(
        target, [&](auto stream) { cuda::prepareHeads(problem, stream); },
        [&] {
            cuda::prepareHeadsTwin(problem, 0, shape.length / 2);
            cuda::prepareHeadsTwin(problem, shape.length / 2, shape.length);
        });
    CHECK(distance(qkv, expected) < target.tolerance);
}

void checkEverywhere(const PreparationCase& shape)
{
    for (const KernelTarget& target : twinAndKernelTargets())
        checkPreparation(target, shape);
}

constexpr cuda::HeadNorm kNorms[] = {cuda::HeadNorm::None, cuda::HeadNorm::PerHead, cuda::HeadNorm::AllHeads};

}  // namespace

TEST_CASE("heads are prepared as torch does it: clipped, normed and turned, or any of them")
{
    at::manual_seed(1);
    for (const float clip : {0.0f, 0.7f})
        for (const int pairs : {0, 5, 8})
            for (const cuda::HeadNorm norm : kNorms)
                for (const bool hasScale : {false, true})
                    checkEverywhere(
                        {.clip = clip, .rotatedPairs = pairs, .norm = norm, .hasScale = hasScale});
}

TEST_CASE("heads are prepared as torch does it, for every head size and part of it that turns")
{
    at::manual_seed(2);
    for (const int headDim : {1, 3, 8, 33, 64, 80, 256})
        for (const int pairs : {0, 1, headDim / 5, headDim / 2})
            for (const float clip : {0.0f, 1.0f})
                for (const cuda::HeadNorm norm : kNorms)
                    if (2 * pairs <= headDim)
                        checkEverywhere(
                            {.headDim = headDim, .clip = clip, .rotatedPairs = pairs, .norm = norm});
}

TEST_CASE("heads are prepared as torch does it, however many of them share keys")
{
    at::manual_seed(3);
    for (const int kvHeads : {1, 2, 3, 6})
        for (const cuda::HeadNorm norm : kNorms)
            checkEverywhere({.heads = 6, .kvHeads = kvHeads, .rotatedPairs = 8, .norm = norm});
    // More shared memory than a kernel gets without asking the driver.
    checkEverywhere(
        {.heads = 64, .kvHeads = 8, .headDim = 256, .rotatedPairs = 128, .norm = cuda::HeadNorm::AllHeads});
}

TEST_CASE("heads are prepared as torch does it, at every length")
{
    at::manual_seed(4);
    for (int length = 1; length <= 70; ++length) {
        checkEverywhere({.length = length, .rotatedPairs = 4});
        checkEverywhere({.length = length, .clip = 2, .rotatedPairs = 4, .norm = cuda::HeadNorm::PerHead});
    }
}
