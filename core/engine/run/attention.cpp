#include "engine/run/attention_tensors.h"

#include "engine/request/forecast.h"
#include "engine/run/row_product_tensors.h"

#include <algorithm>
#include <limits>

namespace hs::engine {

at::Tensor attend(const Projections& layer, const at::Tensor& hidden, const std::optional<ScoreGate>& gate,
                  const PatternSink& sink, std::int64_t prompts)
{
    const std::int64_t heads = layer.queries.size(0) / prompts;
    const std::int64_t rows = layer.queries.size(1);
    const std::int64_t length = layer.keys.size(1);
    const std::int64_t headDim = layer.queries.size(2);
    const std::int64_t groups = layer.keys.size(0) / prompts;
    const std::int64_t perGroup = heads / groups;
    const auto bytesPerGroup = static_cast<std::uint64_t>(perGroup * rows * length) * sizeof(float);
    std::int64_t groupsAtOnce = std::clamp<std::int64_t>(
        static_cast<std::int64_t>(kScoreChunkBytes / std::max<std::uint64_t>(bytesPerGroup, 1)), 1,
        groups * prompts);
    if (groupsAtOnce > groups)
        groupsAtOnce -= groupsAtOnce % groups;                        // whole prompts
    const std::int64_t blocks = groupsAtOnce > groups ? 1 : prompts;  // no portion crosses blocks
    const std::int64_t groupsPerBlock = groups * prompts / blocks;

    at::Tensor outputs = at::empty({prompts, rows, heads, headDim}, layer.queries.options());
    for (std::int64_t block = 0; block < blocks; ++block)
        for (std::int64_t group = 0; group < groupsPerBlock; group += groupsAtOnce) {
            const std::int64_t first = block * groupsPerBlock + group;
            const std::int64_t count = std::min(groupsAtOnce, groupsPerBlock - group);
            const std::int64_t headCount = count * perGroup;
            // The query heads of a group are stacked, so that they share their keys without copying them.
            const at::Tensor queries = layer.queries.narrow(0, first * perGroup, headCount)
                                           .reshape({count, perGroup * rows, headDim})
                                           .to(at::kFloat);
            const at::Tensor keys = layer.keys.narrow(0, first, count).to(at::kFloat);
            const at::Tensor values = layer.values.narrow(0, first, count).to(at::kFloat);

            PatternChunk chunk;
            chunk.firstHead = static_cast<int>(first * perGroup);
            chunk.scores = scoresOfBlocks(queries, keys).view({headCount, rows, length});
            if (layer.scoreCap)
                chunk.scores = softCapped(chunk.scores, *layer.scoreCap);
            chunk.scores.masked_fill_(hidden, -std::numeric_limits<float>::infinity());
            chunk.weights = at::softmax(chunk.scores, -1);
            if (gate) {
                chunk.open = chunk.scores.gt(-gate->bias);
                // A gradient needs the ungated softmax.
                chunk.weights =
                    c10::GradMode::is_enabled() ? chunk.weights * chunk.open : chunk.weights.mul_(chunk.open);
            }
            if (sink)
                sink(chunk);
            const at::Tensor z = mixesOfBlocks(chunk.weights.view({count, perGroup * rows, length}), values);
            const std::int64_t headsHere = std::min(headCount, heads);
            outputs.narrow(0, first / groups, headCount / headsHere)
                .narrow(2, first % groups * perGroup, headsHere)
                .copy_(z.view({headCount / headsHere, headsHere, rows, headDim}).transpose(1, 2));
        }
    return outputs.flatten(0, 1);
}

}  // namespace hs::engine
