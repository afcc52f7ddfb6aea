#include "train/cached_attention_tensors.h"

#include "core/train/fused_targets.h"
#include "support/models.h"

#include <vector>

using namespace hs;

namespace {

constexpr std::int64_t kDocuments = 3, kLength = 41;

struct CachedCase {
    int heads, kvHeads, headDim, pairs, window;
    double cap;
};

model::ArchSpec specOf(const CachedCase& shape)
{
    model::ArchSpec spec = test::openGolden("gpt2")->spec();
    spec.layers = 1;
    spec.heads = shape.heads;
    spec.kvHeads = shape.kvHeads;
    spec.headDim = shape.headDim;
    spec.windows = {shape.window};
    if (shape.cap > 0)
        spec.scoreCap = shape.cap;
    return spec;
}

/// Heads as attention sees them at one position. x [document, head, head size] double
at::Tensor turned(const at::Tensor& x, const engine::Rotation& rotation, std::int64_t position, int pairs)
{
    if (pairs == 0)
        return x;
    const at::Tensor cos = rotation.cos[position].to(at::kCPU, at::kDouble);
    const at::Tensor sin = rotation.sin[position].to(at::kCPU, at::kDouble);
    const at::Tensor first = x.narrow(2, 0, pairs), second = x.narrow(2, pairs, pairs);
    return at::cat({first * cos - second * sin, second * cos + first * sin,
                    x.narrow(2, 2 * pairs, x.size(2) - 2 * pairs)},
                   2);
}

void checkAgainstWhole(const CachedCase& shape, const FusedTarget& target)
{
    INFO(shape.heads << " over " << shape.kvHeads << " heads of " << shape.headDim << ", " << shape.pairs
                     << " pairs turned, window " << shape.window << ", cap " << shape.cap << " on "
                     << target.device << " in " << target.type);
    const model::ArchSpec spec = specOf(shape);
    engine::Rotation rotation;
    if (shape.pairs > 0) {
        const at::Tensor angles = at::randn({kLength, shape.pairs}).to(target.device);
        rotation.cos = angles.cos();
        rotation.sin = angles.sin();
    }
    train::CachedAttention attention(spec, kDocuments, kLength, target.options());
    std::vector<at::Tensor> keys, values;  // [position] of [document, query head, head size]
    for (std::int64_t position = 0; position < kLength; ++position) {
        const at::Tensor packed = randomOn(target, {kDocuments, spec.queryWidth() + 2 * spec.kvWidth()});
        const at::Tensor rows = packed.to(at::kCPU, at::kDouble)
                                    .view({kDocuments, shape.heads + 2 * shape.kvHeads, shape.headDim});
        const auto perQueryHead = [&](const at::Tensor& x) {
            return x.repeat_interleave(shape.heads / shape.kvHeads, 1);
        };
        const at::Tensor queries = turned(rows.narrow(1, 0, shape.heads), rotation, position, shape.pairs);
        keys.push_back(perQueryHead(
            turned(rows.narrow(1, shape.heads, shape.kvHeads), rotation, position, shape.pairs)));
        values.push_back(perQueryHead(rows.narrow(1, shape.heads + shape.kvHeads, shape.kvHeads)));
        const std::int64_t first =
            shape.window > 0 ? std::max<std::int64_t>(0, position + 1 - shape.window) : 0;
        const at::Tensor seen = at::stack(keys, 2).slice(2, first);
        at::Tensor scores = at::matmul(seen, queries.unsqueeze(3)).squeeze(3) * spec.scoreScale(0);
        if (shape.cap > 0)
            scores = engine::softCapped(scores, shape.cap);
        const at::Tensor z =
            (at::softmax(scores, 2).unsqueeze(3) * at::stack(values, 2).slice(2, first)).sum(2);
        REQUIRE(distance(attention.attend(0, packed, rotation, position), z) < target.tolerance);
    }
}

}  // namespace

TEST_CASE("attention over kept keys and values is that over the whole text, turned, in windows, groups and "
          "under a cap")
{
    at::manual_seed(5);
    for (const FusedTarget& target : fusedTargets())
        for (const CachedCase& shape : std::vector<CachedCase>{{6, 2, 10, 0, 0, 0},
                                                               {6, 2, 10, 5, 3, 0.7},
                                                               {9, 3, 64, 32, 0, 0},
                                                               {7, 1, 48, 24, 0, 0},
                                                               {4, 4, 24, 4, 16, 0},
                                                               {12, 2, 128, 64, 0, 0},
                                                               {2, 1, 256, 0, 0, 30}})
            checkAgainstWhole(shape, target);
}
