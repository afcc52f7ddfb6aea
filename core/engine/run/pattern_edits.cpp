#include "engine/run/pattern_edits_tensors.h"

#include <algorithm>

namespace hs::engine {
namespace {

/// In place. weights, open: [query, key]
void edit(at::Tensor weights, at::Tensor open, const cuda::PatternEdit& change, RowRange computed)
{
    const std::int64_t row = std::max<std::int64_t>(change.query - computed.first, 0);
    const std::int64_t count = change.queryEnd - computed.first - row;
    if (count <= 0)
        return;
    const at::Tensor rows = weights.narrow(0, row, count);
    const at::Tensor cells = rows.narrow(1, change.key, change.keyEnd - change.key);
    if (!change.renormalises) {
        cells.mul_(change.factor);
    } else {
        const at::Tensor before = rows.sum(1, /*keepdim=*/true);
        cells.zero_();
        const at::Tensor rest = rows.sum(1, /*keepdim=*/true);
        const at::Tensor hasRest = rest.gt(0);
        const at::Tensor one = at::ones_like(rest);
        rows.mul_(at::where(hasRest, before / at::where(hasRest, rest, one), one));  // 0 / 0 has no gradient
    }
    if (change.factor == 0)
        open.narrow(0, row, count).narrow(1, change.key, change.keyEnd - change.key).fill_(false);
}

/// Those that change weights, in a prompt of that length: a factor of one must not take another way through the layer,
/// whose sums are rounded otherwise.
std::vector<cuda::PatternEdit> weightEdits(const HeadAblation& ablation, int length)
{
    std::vector<cuda::PatternEdit> edits;
    for (const CellEdit& edit : ablation.edits) {
        const CellBounds bounds = edit.cells.boundsIn(length);
        const bool isScaled = edit.method.kind == CellMethod::Kind::Scale;
        if (bounds.isEmpty() || edit.method.kind == CellMethod::Kind::Replace ||
            (isScaled && edit.method.factor == 1))
            continue;
        edits.push_back({bounds.query, bounds.queryEnd, bounds.key, bounds.keyEnd,
                         isScaled ? static_cast<float>(edit.method.factor) : 0, isScaled ? 0 : 1});
    }
    return edits;
}

}  // namespace

PatternEdits::PatternEdits(std::span<const Ablations> runs, int layer, int heads, RowRange rows)
    : m_rows(rows)
{
    for (std::size_t run = 0; run < runs.size(); ++run)
        for (auto at = runs[run].lower_bound({layer, 0});
             at != runs[run].end() && at->first < HeadId::mlpOf(layer); ++at)
            if (auto edits = weightEdits(at->second, static_cast<int>(rows.end())); !edits.empty())
                m_edits[static_cast<std::int64_t>(run) * heads + at->first.head] = std::move(edits);
}

EditLists::EditLists(const Ablations& run, int length, int firstLayer, int layers, int heads)
{
    first.reserve(static_cast<std::size_t>(layers * heads) + 1);
    auto at = run.lower_bound({firstLayer, 0});
    for (int layer = firstLayer; layer < firstLayer + layers; ++layer)
        for (int head = 0; head < heads; ++head) {
            first.push_back(static_cast<std::int32_t>(edits.size()));
            while (at != run.end() && at->first < HeadId{layer, head})
                ++at;
            if (at == run.end() || at->first != HeadId{layer, head})
                continue;
            const auto more = weightEdits(at->second, length);
            edits.insert(edits.end(), more.begin(), more.end());
        }
    first.push_back(static_cast<std::int32_t>(edits.size()));
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
        for (const cuda::PatternEdit& one : at->second)
            edit(chunk.weights[at->first - chunk.firstHead], chunk.open[at->first - chunk.firstHead], one,
                 m_rows);
}

}  // namespace hs::engine
