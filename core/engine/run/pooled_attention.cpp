#include "engine/run/pooled_attention_tensors.h"

#include "engine/run/pattern_edits_tensors.h"

#include <algorithm>

namespace hs::engine {

cuda::PatternProblem patternProblem(const model::ArchSpec& spec, int layer,
                                    const std::optional<ScoreGate>& gate, int length, int tileSide,
                                    double threshold)
{
    cuda::PatternProblem problem;
    problem.length = length;
    problem.heads = spec.heads;
    problem.kvHeads = spec.kvHeads;
    problem.headDim = spec.headDim;
    problem.window = spec.windows[layer];
    problem.scale = static_cast<float>(spec.scoreScale(layer));
    problem.cap = static_cast<float>(spec.scoreCap.value_or(0));
    problem.isGated = gate.has_value();
    problem.bias = gate ? static_cast<float>(gate->bias) : 0;
    problem.tileSide = tileSide;
    problem.threshold = static_cast<float>(threshold);
    return problem;
}

bool canPoolAttention(at::Device device)
{
    return device.is_cpu();
}

LayerAttention poolAttention(const model::ArchSpec& spec, int layer, const at::Tensor& qkv,
                             const at::Tensor& tokens, const std::optional<ScoreGate>& gate,
                             const stats::SummaryRules& rules, const Ablations& ablations)
{
    const at::Tensor packed = qkv.contiguous();
    const std::int64_t length = packed.size(0);
    cuda::PatternProblem problem =
        patternProblem(spec, layer, gate, static_cast<int>(length), rules.tileSide, rules.threshold);
    problem.folded = rules.fold ? &rules : nullptr;
    problem.qkv = packed.data_ptr<float>();
    problem.tokens = tokens.data_ptr<std::int32_t>();
    const EditLists lists(ablations, static_cast<int>(length), layer, 1, spec.heads);
    problem.edits = lists.edits.data();
    problem.firstEdits = lists.first.data();

    LayerAttention pooled;
    pooled.z = at::empty({length, spec.heads, spec.headDim}, packed.options());
    const std::shared_ptr<std::uint8_t[]> tiles(
        new std::uint8_t[std::size_t(spec.heads) * rules.tileCells()]);
    std::vector<stats::PatternSums> sums(spec.heads);
    const cuda::PatternResult result{pooled.z.data_ptr<float>(), tiles.get(), sums.data(), nullptr};
    // With less work than this, another thread costs more than it saves.
    const std::int64_t grain =
        std::max<std::int64_t>(1, at::internal::GRAIN_SIZE / stats::causalCells(length));
    at::parallel_for(0, spec.heads, grain, [&](std::int64_t begin, std::int64_t end) {
        for (std::int64_t head = begin; head < end; ++head)
            cuda::attentionPatternsTwin(problem, result, static_cast<int>(head));
    });

    pooled.record.tiles = tiles;
    for (const stats::PatternSums& ofHead : sums) {
        pooled.record.stats.push_back(stats::statsOf(ofHead, rules.pattern, rules.repeats.count()));
        pooled.record.activeCells += static_cast<std::int64_t>(ofHead.open);
    }
    return pooled;
}

}  // namespace hs::engine
