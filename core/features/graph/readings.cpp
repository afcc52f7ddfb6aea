#include "features/graph/readings_tensors.h"

#include "engine/load/weights_tensors.h"

#include <algorithm>
#include <numeric>

namespace hs::features {
namespace {

using Kind = GraphNode::Kind;

void checkTarget(const HeldRun& run, const NodeId& target)
{
    const model::ArchSpec& spec = run.spec();
    if (target.kind != Kind::Feature && target.kind != Kind::Logit)
        fail(ErrorCode::BadRequest,
             "Only features and logits have edges that lead to them; choose one of those.");
    const bool isFeature = target.kind == Kind::Feature;
    const std::int64_t count = isFeature ? run.coders->facts().features : spec.vocabulary;
    if (target.position < 0 || target.position >= run.length() || target.index < 0 || target.index >= count ||
        (isFeature && (target.layer < 0 || target.layer >= spec.layers)))
        fail(ErrorCode::BadRequest, "The " + std::string(wordOf(target.kind)) + " " +
                                        std::to_string(target.index) + " at position " +
                                        std::to_string(target.position) +
                                        " is outside this run; choose a node of its graph.");
}

Spot spotOf(const HeldRun& run, const NodeId& target)
{
    if (target.kind == Kind::Logit)
        return {run.spec().layers, target.position, false};
    return {target.layer, target.position, !run.spec().hasParallelResidual};
}

/// Fills consecutive readings that are all of one layer's features, or all logits.
class GroupReader {
public:
    GroupReader(const HeldRun& run, std::span<const NodeId> targets, std::optional<std::int64_t> versus,
                TargetReadings& result)
        : m_run(run), m_targets(targets), m_versus(versus), m_result(result)
    {
    }

    void read(std::size_t begin, std::size_t end)
    {
        std::vector<std::int64_t> indices;
        std::vector<std::int64_t> positions;
        for (std::size_t at = begin; at < end; ++at) {
            indices.push_back(m_targets[m_result.order[at]].index);
            positions.push_back(m_targets[m_result.order[at]].position);
        }
        const NodeId& first = m_targets[m_result.order[begin]];
        const bool isFeature = first.kind == Kind::Feature;
        const at::Tensor rows = isFeature ? encoders(first.layer, indices) : unembeddings(indices);
        const HeldNorm& norm =
            isFeature ? m_run.layers[static_cast<std::size_t>(first.layer)].reading : m_run.finalNorm;
        const auto count = static_cast<std::int64_t>(end - begin);
        const auto from = static_cast<std::int64_t>(begin);
        m_result.readings.directions.narrow(0, from, count)
            .copy_(norm.carryBack(rows, at::tensor(positions).to(m_run.device)));
        if (norm.bias.defined())
            m_result.readings.constants.narrow(0, from, count).copy_(at::mv(rows, norm.bias));
    }

private:
    at::Tensor encoders(int layer, const std::vector<std::int64_t>& indices) const
    {
        return m_run.here(
            m_run.coders->weights().layers[static_cast<std::size_t>(layer)].encoder.index_select(
                0, at::tensor(indices)));
    }

    at::Tensor unembeddings(const std::vector<std::int64_t>& indices) const
    {
        const at::Tensor& unembedding = m_run.model->weights()[model::Role::Unembedding];
        const at::Tensor others =
            m_versus
                ? unembedding[*m_versus]
                : unembedding.mean(0, /*keepdim=*/false, m_run.device.is_cpu() ? at::kDouble : at::kFloat);
        return m_run.here(unembedding.index_select(0, at::tensor(indices).to(unembedding.device()))) -
               m_run.here(others);
    }

    const HeldRun& m_run;
    std::span<const NodeId> m_targets;
    std::optional<std::int64_t> m_versus;
    TargetReadings& m_result;
};

}  // namespace

TargetReadings readingsOf(const HeldRun& run, std::span<const NodeId> targets,
                          std::optional<std::int64_t> versus)
{
    for (const NodeId& target : targets)
        checkTarget(run, target);
    const auto depthOf = [&](std::size_t target) { return spotOf(run, targets[target]).depth(); };
    TargetReadings result;
    result.order.resize(targets.size());
    std::iota(result.order.begin(), result.order.end(), std::size_t{0});
    std::ranges::stable_sort(result.order, std::greater<>(), depthOf);
    for (const std::size_t target : result.order)
        result.readings.spots.push_back(spotOf(run, targets[target]));
    const auto count = static_cast<std::int64_t>(targets.size());
    result.readings.directions = at::empty({count, run.embedding.size(1)}, run.embedding.options());
    result.readings.constants = at::zeros({count}, run.embedding.options());
    GroupReader reader(run, targets, versus, result);
    for (std::size_t begin = 0, end = 0; begin < targets.size(); begin = end) {
        while (end < targets.size() && depthOf(result.order[end]) == depthOf(result.order[begin]))
            ++end;
        reader.read(begin, end);
    }
    return result;
}

}  // namespace hs::features
