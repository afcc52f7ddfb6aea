#include "engine/attention_tensors.h"

#include "engine/forecast.h"

#include <algorithm>
#include <limits>

namespace hs {

at::Tensor attend(const Projections& layer, const at::Tensor& hidden, const std::optional<ScoreGate>& gate,
                  const PatternSink& sink)
{
    const std::int64_t heads = layer.queries.size(0);
    const std::int64_t length = layer.queries.size(1);
    const std::int64_t headDim = layer.queries.size(2);
    const std::int64_t groups = layer.keys.size(0);
    const std::int64_t perGroup = heads / groups;
    const auto bytesPerGroup = static_cast<std::uint64_t>(perGroup * length * length) * sizeof(float);
    const std::int64_t groupsAtOnce = std::clamp<std::int64_t>(
        static_cast<std::int64_t>(kScoreChunkBytes / std::max<std::uint64_t>(bytesPerGroup, 1)), 1, groups);

    at::Tensor outputs = at::empty({length, heads, headDim}, layer.queries.options());
    for (std::int64_t group = 0; group < groups; group += groupsAtOnce) {
        const std::int64_t count = std::min(groupsAtOnce, groups - group);
        const std::int64_t firstHead = group * perGroup;
        const std::int64_t headCount = count * perGroup;
        // The query heads of a group stand below one another, so that they share their keys without
        // a copy of them.
        const at::Tensor queries = layer.queries.narrow(0, firstHead, headCount)
                                       .reshape({count, perGroup * length, headDim})
                                       .to(at::kFloat);
        const at::Tensor keys = layer.keys.narrow(0, group, count).to(at::kFloat);
        const at::Tensor values = layer.values.narrow(0, group, count).to(at::kFloat);

        PatternChunk chunk;
        chunk.firstHead = static_cast<int>(firstHead);
        chunk.scores = at::bmm(queries, keys.transpose(1, 2)).view({headCount, length, length});
        chunk.scores.masked_fill_(hidden, -std::numeric_limits<float>::infinity());
        chunk.weights = at::softmax(chunk.scores, -1);
        if (gate) {
            chunk.open = chunk.scores.gt(-gate->bias);
            chunk.weights.mul_(chunk.open);
        }
        sink(chunk);
        const at::Tensor z = at::bmm(chunk.weights.view({count, perGroup * length, length}), values);
        outputs.narrow(1, firstHead, headCount).copy_(z.view({headCount, length, headDim}).transpose(0, 1));
    }
    return outputs;
}

}  // namespace hs
