#include "train/losses_tensors.h"

#include <cmath>

namespace hs::train {
namespace {

/// Averages over the tokens of each group, by the batch's weights; a worker's share of them, where there are
/// several.
class GroupMeans {
public:
    explicit GroupMeans(const BatchTensors& batch) : m_batch(batch), m_isThere(batch.groupWeights.gt(0)) {}

    at::Tensor of(const at::Tensor& values) const  // [row] → [group], 0 for an absent group
    {
        const at::Tensor sums = (values.view_as(m_batch.weights) * m_batch.weights).sum(1);  // [prompt]
        return at::mv(m_batch.members, sums) / m_batch.groupWeights.clamp_min(1e-12);
    }
    at::Tensor across(const at::Tensor& means) const { return means.sum() / m_isThere.sum(); }  // []
    at::Tensor marked(const at::Tensor& means) const  // NaN for an absent group
    {
        return means.detach().masked_fill(m_isThere.logical_not(), NAN);
    }

private:
    const BatchTensors& m_batch;
    at::Tensor m_isThere;  // [group] bool
};

/// What open cells cost: the share of them, and more in a head that has few on a row. The weight is the
/// slope of log(1 + open cells), taken anew each step and not learnt through: the last open cells of a head
/// cost most, so that one that is nearly silent falls silent, while to one with many it is nothing. The sum
/// of probabilities cannot stand for the count, as a row's closed cells alone add up to hundreds.
at::Tensor costOf(const Forward& run, const at::Tensor& expectedDensity, const at::Tensor& cells,
                  const SparsityOptions& sparsity)
{
    if (sparsity.headPenalty == 0)
        return expectedDensity;
    const at::Tensor weight = (run.active.detach() + 1).reciprocal();  // [layer, prompt, head]
    return expectedDensity + (run.expected * weight).sum() * (sparsity.headPenalty / cells);
}

}  // namespace

Losses lossesOf(const ComparedRuns& runs, const BatchTensors& batch, const Options& options,
                const at::Tensor& price, Operations operations)
{
    const std::optional<SparsityOptions>& sparsity = options.sparsity;
    const TokenLosses rows = tokenLosses(runs.run.logits, runs.wanted, batch.targets, operations);
    const GroupMeans means(batch);
    const at::Tensor crossEntropy = means.of(rows.crossEntropy);
    Losses result;
    result.crossEntropy = means.marked(crossEntropy);
    if (!sparsity) {
        result.loss = means.across(crossEntropy);
        return result;
    }
    const at::Tensor divergence = means.of(rows.divergence);
    at::Tensor excess = divergence;
    if (sparsity->divergenceWeight == 0)
        excess = crossEntropy -
                 means.of(tokenLosses(runs.wanted, at::Tensor(), batch.targets, operations).crossEntropy);
    result.excess = means.marked(excess);
    // heads of all layers, [layer, prompt, head]
    const at::Tensor cells =
        batch.cells * static_cast<double>(runs.run.expected.size(0) * runs.run.expected.size(2));
    result.expectedDensity = runs.run.expected.sum() / cells;
    result.density = runs.run.active.sum() / cells;
    const at::Tensor cost = costOf(runs.run, result.expectedDensity, cells, *sparsity);
    result.loss = means.across(divergence) * sparsity->divergenceWeight + price * cost;
    if (sparsity->crossEntropyWeight > 0)
        result.loss = result.loss + means.across(crossEntropy) * sparsity->crossEntropyWeight;
    return result;
}

}  // namespace hs::train
