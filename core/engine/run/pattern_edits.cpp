#include "engine/run/pattern_edits_tensors.h"

#include <algorithm>

namespace hs::engine {
namespace {

/// In place. weights, open: [query, key]
void edit(at::Tensor weights, at::Tensor open, const CellEdit& change, RowRange computed)
{
    const CellBounds bounds = change.cells.boundsIn(static_cast<int>(computed.end()));
    const std::int64_t row = std::max<std::int64_t>(bounds.query - computed.first, 0);
    const std::int64_t count = bounds.queryEnd - computed.first - row;
    if (bounds.isEmpty() || count <= 0)
        return;
    const at::Tensor rows = weights.narrow(0, row, count);
    const at::Tensor cells = rows.narrow(1, bounds.key, bounds.keyEnd - bounds.key);
    if (change.method.kind == CellMethod::Kind::Scale) {
        cells.mul_(change.method.factor);
    } else {
        const at::Tensor before = rows.sum(1, /*keepdim=*/true);
        cells.zero_();
        const at::Tensor rest = rows.sum(1, /*keepdim=*/true);
        const at::Tensor hasRest = rest.gt(0);
        const at::Tensor one = at::ones_like(rest);
        rows.mul_(at::where(hasRest, before / at::where(hasRest, rest, one), one));  // 0 / 0 has no gradient
    }
    if (change.method.factor == 0)
        open.narrow(0, row, count).narrow(1, bounds.key, bounds.keyEnd - bounds.key).fill_(false);
}

/// Those that change weights: a factor of one must not take another way through the layer, whose sums are rounded
/// otherwise.
std::vector<CellEdit> weightEdits(const HeadAblation& ablation)
{
    std::vector<CellEdit> edits = ablation.edits;
    std::erase_if(edits, [](const CellEdit& edit) {
        return edit.method.kind == CellMethod::Kind::Replace ||
               edit.method == CellMethod{CellMethod::Kind::Scale, 1};
    });
    return edits;
}

}  // namespace

PatternEdits::PatternEdits(std::span<const Ablations> runs, int layer, int heads, RowRange rows)
    : m_rows(rows)
{
    for (std::size_t run = 0; run < runs.size(); ++run)
        for (const std::int64_t head : headsIn(runs[run], layer))
            m_edits[static_cast<std::int64_t>(run) * heads + head] =
                weightEdits(runs[run].at({layer, static_cast<int>(head)}));
}

PatternEdits::PatternEdits(const Ablations& run, int layer, std::span<const std::int64_t> heads,
                           RowRange rows)
    : m_rows(rows)
{
    for (std::size_t index = 0; index < heads.size(); ++index)
        m_edits[static_cast<std::int64_t>(index)] =
            weightEdits(run.at({layer, static_cast<int>(heads[index])}));
}

std::vector<std::int64_t> PatternEdits::headsIn(const Ablations& run, int layer)
{
    std::vector<std::int64_t> heads;
    for (auto at = run.lower_bound({layer, 0}); at != run.end() && at->first.layer == layer; ++at)
        if (!weightEdits(at->second).empty())
            heads.push_back(at->first.head);
    return heads;
}

void PatternEdits::apply(PatternChunk& chunk) const
{
    const auto begin = m_edits.lower_bound(chunk.firstHead);
    const auto end = m_edits.lower_bound(chunk.firstHead + chunk.weights.size(0));
    if (begin == end)
        return;
    if (!chunk.open.defined())
        chunk.open = at::isfinite(chunk.scores);
    if (c10::GradMode::is_enabled()) {  // a gradient needs what the softmax and the gate gave
        chunk.weights = chunk.weights.clone();
        chunk.open = chunk.open.clone();
    }
    for (auto at = begin; at != end; ++at)
        for (const CellEdit& one : at->second)
            edit(chunk.weights[at->first - chunk.firstHead], chunk.open[at->first - chunk.firstHead], one,
                 m_rows);
}

}  // namespace hs::engine
