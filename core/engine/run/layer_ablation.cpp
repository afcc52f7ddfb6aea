#include "engine/run/layer_ablation_tensors.h"

#include "engine/run/head_outputs_tensors.h"

#include <algorithm>
#include <set>

namespace hs::engine {
namespace {

constexpr std::size_t kCellsAtOnce = std::size_t{1} << 15;

/// Ablates what one head or MLP gives as a whole. output: [row, head size or hidden]
void ablate(at::Tensor output, HeadId unit, const HeadAblation& ablation, RowRange rows)
{
    switch (ablation.kind) {
    case HeadAblation::Kind::Zero: output.zero_(); break;
    case HeadAblation::Kind::Mean:
        // From a copy: a gradient needs what the mean was taken over.
        output.copy_(output.clone().mean(0, /*keepdim=*/true).expand_as(output));
        break;
    case HeadAblation::Kind::Cells: break;
    case HeadAblation::Kind::Replace:
        if (!ablation.cells || ablation.cells->isRest)
            output.copy_(ablation.source->outputOf(unit).narrow(0, rows.first, rows.count));
        break;
    }
}

/// The cells of a prompt of that length that another run contributes to, or those of the rest.
std::shared_ptr<const CellMask> patchedCells(const HeadAblation& ablation, int length)
{
    if (ablation.cells)
        return ablation.cells;
    std::set<CellId> cells;
    for (const CellEdit& edit : ablation.edits)
        if (edit.method.kind == CellMethod::Kind::Replace)
            for (int query = edit.cells.queries.first; query < edit.cells.queries.end(length); ++query)
                for (int key = edit.cells.keys.first; key < std::min(edit.cells.keys.end(length), query + 1);
                     ++key)
                    cells.insert({query, key});
    return std::make_shared<CellMask>(CellMask{{cells.begin(), cells.end()}});
}

template <class T>
at::Tensor tensorOf(std::span<const T> values, at::ScalarType type, at::Device device)
{
    at::Tensor tensor = at::empty({static_cast<std::int64_t>(values.size())}, type);
    std::copy(values.begin(), values.end(), tensor.data_ptr<T>());
    return tensor.to(device);
}

at::Tensor rowsOfRun(const at::Tensor& stacked, std::size_t run, RowRange rows)
{
    return stacked.narrow(0, static_cast<std::int64_t>(run) * rows.count, rows.count);
}

template <class Visitor>
void forHeads(const Ablations& ablations, int layer, const Visitor& visit)
{
    const auto end = ablations.lower_bound(HeadId::mlpOf(layer));
    for (auto at = ablations.lower_bound({layer, 0}); at != end; ++at)
        visit(at->first, at->second);
}

}  // namespace

struct LayerAblation::Entry {
    std::int64_t cell, value, output, sourceCell, sourceValue;
    float sign;
};

LayerAblation::LayerAblation(const model::ArchSpec& spec, int layer, std::span<const Ablations> runs,
                             RowRange rows, Pattern pattern)
    : m_spec(spec), m_layer(layer), m_runs(runs), m_rows(rows), m_edits(runs, layer, spec.heads, rows)
{
    listCells(runs, pattern);
}

void LayerAblation::listCells(std::span<const Ablations> runs, Pattern pattern)
{
    std::map<std::shared_ptr<const HeadOutputs>, std::vector<Entry>> entries;
    const std::int64_t keys = m_rows.end();
    const std::int64_t perGroup = m_spec.heads / m_spec.kvHeads;
    for (std::int64_t run = 0; run < static_cast<std::int64_t>(runs.size()); ++run)
        forHeads(runs[run], m_layer, [&](HeadId head, const HeadAblation& ablation) {
            const auto patched = patchedCells(ablation, static_cast<int>(keys));
            if (patched->cells.empty())
                return;
            const std::int64_t length = ablation.source->z(m_layer).size(0);
            const std::int64_t patternRun = pattern == Pattern::Shared ? 0 : run;
            const std::int64_t group = head.head / perGroup;
            std::vector<Entry>& listed = entries[ablation.source];
            for (const auto& [query, key] : patched->cells) {
                const std::int64_t row = query - m_rows.first;
                if (row < 0 || row >= m_rows.count)
                    continue;
                listed.push_back({((patternRun * m_spec.heads + head.head) * m_rows.count + row) * keys + key,
                                  (patternRun * m_spec.kvHeads + group) * keys + key,
                                  (run * m_rows.count + row) * m_spec.heads + head.head,
                                  (head.head * length + query) * length + key, group * length + key,
                                  patched->isRest ? -1.0f : 1.0f});
            }
        });
    for (auto& [source, listed] : entries) {
        std::ranges::stable_sort(listed, {}, &Entry::cell);
        Patch& patch = m_patches[source];
        for (const Entry& entry : listed) {
            patch.cells.push_back(entry.cell);
            patch.values.push_back(entry.value);
            patch.outputs.push_back(entry.output);
            patch.sourceCells.push_back(entry.sourceCell);
            patch.sourceValues.push_back(entry.sourceValue);
            patch.signs.push_back(entry.sign);
        }
        patch.weights =
            at::empty({static_cast<std::int64_t>(listed.size())}, source->weights(m_layer).options());
    }
}

void LayerAblation::take(PatternChunk& chunk)
{
    m_edits.apply(chunk);
    const std::int64_t first = chunk.firstHead * chunk.weights.size(1) * chunk.weights.size(2);
    for (auto& [source, patch] : m_patches) {
        const auto begin = std::ranges::lower_bound(patch.cells, first);
        const auto end = std::ranges::lower_bound(patch.cells, first + chunk.weights.numel());
        if (begin == end)
            continue;
        const at::Tensor cells =
            tensorOf(std::span<const std::int64_t>(begin, end), at::kLong, chunk.weights.device())
                .sub_(first);
        patch.weights.narrow(0, begin - patch.cells.begin(), end - begin)
            .copy_(chunk.weights.reshape(-1).index_select(0, cells));
    }
}

void LayerAblation::apply(at::Tensor z, const at::Tensor& values) const
{
    for (std::size_t run = 0; run < m_runs.size(); ++run)
        forHeads(m_runs[run], m_layer, [&](HeadId head, const HeadAblation& ablation) {
            ablate(rowsOfRun(z, run, m_rows).select(1, head.head), head, ablation, m_rows);
        });
    for (const auto& [source, patch] : m_patches)
        for (std::size_t begin = 0; begin < patch.cells.size(); begin += kCellsAtOnce)
            addBlock(z, values, *source, patch, begin, std::min(kCellsAtOnce, patch.cells.size() - begin));
}

MlpChange mlpChange(int layer, std::span<const Ablations> runs, RowRange rows)
{
    const HeadId mlp = HeadId::mlpOf(layer);
    if (std::ranges::none_of(runs, [mlp](const Ablations& run) { return run.contains(mlp); }))
        return {};
    return [=](const at::Tensor& written) {
        for (std::size_t run = 0; run < runs.size(); ++run)
            if (const auto at = runs[run].find(mlp); at != runs[run].end())
                ablate(rowsOfRun(written, run, rows), mlp, at->second, rows);
    };
}

void LayerAblation::addBlock(at::Tensor z, const at::Tensor& values, const HeadOutputs& source,
                             const Patch& patch, std::size_t begin, std::size_t count) const
{
    const auto indices = [&](const std::vector<std::int64_t>& all) {
        return tensorOf(std::span(all).subspan(begin, count), at::kLong, z.device());
    };
    const auto rowsOf = [](const at::Tensor& tensor, const at::Tensor& rows) {
        return tensor.reshape({-1, tensor.size(-1)}).index_select(0, rows).to(at::kFloat);
    };
    const at::Tensor here =
        rowsOf(values, indices(patch.values)) *
        patch.weights.narrow(0, static_cast<std::int64_t>(begin), static_cast<std::int64_t>(count))
            .unsqueeze(1);
    const at::Tensor there =
        rowsOf(source.values(m_layer), indices(patch.sourceValues)) *
        source.weights(m_layer).view(-1).index_select(0, indices(patch.sourceCells)).unsqueeze(1);
    const at::Tensor signs = tensorOf(std::span(patch.signs).subspan(begin, count), at::kFloat, z.device());
    z.view({-1, z.size(-1)})
        .index_add_(0, indices(patch.outputs), ((there - here) * signs.unsqueeze(1)).to(z.scalar_type()));
}

}  // namespace hs::engine
