#include "engine/run/variant_portion_tensors.h"

#include "engine/run/stream_writes_tensors.h"

#include <algorithm>

namespace hs::engine {
namespace {

Ablations together(Ablations base, const Ablations& more)
{
    for (const auto& [head, ablation] : more) {
        HeadAblation& changed = base[head];
        std::vector<CellEdit> edits = std::move(changed.edits);
        changed = ablation;
        if (ablation.kind == HeadAblation::Kind::Cells)
            changed.edits.insert(changed.edits.begin(), edits.begin(), edits.end());
    }
    return base;
}

void append(at::Tensor& rows, const at::Tensor& more)
{
    rows = rows.defined() ? at::cat({rows, more}) : more;
}

at::Tensor rowsOf(const at::Tensor& tensor, RowRange rows)
{
    return tensor.narrow(0, rows.first, rows.count);
}

PatternSink sinkOf(LayerAblation& ablation)
{
    if (!ablation.needsPatterns())
        return {};
    return [&ablation](PatternChunk& chunk) { ablation.take(chunk); };
}

bool editsCells(std::span<const Ablations> runs, int layer)
{
    return std::ranges::any_of(runs, [layer](const Ablations& run) {
        return std::any_of(run.lower_bound({layer, 0}), run.lower_bound({layer + 1, 0}),
                           [](const auto& entry) { return !entry.second.edits.empty(); });
    });
}

}  // namespace

VariantPortion::VariantPortion(const RunMemory& memory, const VariantRequest& request, const Decoder& decoder,
                               std::span<const VariantPlace> places, RowRange read)
    : m_memory(memory), m_request(request), m_spec(request.run.model->spec()), m_read(read),
      m_rows{places.front().row, read.end() - places.front().row}, m_decoder(decoder),
      m_baseline(decoder.excerpt(1, 0, read.end())), m_order(places.begin(), places.end())
{
    std::ranges::stable_sort(m_order, {}, &VariantPlace::layer);
}

std::vector<VariantReading> VariantPortion::run(const VariantReader& reader, const Hooks& hooks)
{
    for (int layer = 0; layer < m_spec.layers; ++layer) {
        hooks.throwIfCancelled();
        runLayer(layer);
    }
    // Variants that ablate nothing join at the very end.
    if (const std::int64_t rest = joiningAt(m_spec.layers); rest > 0)
        append(m_residual, rowsOf(m_memory.residual(m_spec.layers), m_rows).repeat({rest, 1}));
    return reader.read(m_residual, m_rows);
}

std::int64_t VariantPortion::joiningAt(int layer) const
{
    return std::ranges::count(m_order, layer, &VariantPlace::layer);
}

/// The rows needed of a layer's result: of the last layer's, only those that are read.
RowRange VariantPortion::rowsAfter(int layer) const
{
    const std::int64_t first =
        layer + 1 < m_spec.layers ? m_rows.first : std::max(m_rows.first, m_read.first);
    return {first, m_rows.end() - first};
}

void VariantPortion::runLayer(int layer)
{
    const std::int64_t newcomers = joiningAt(layer);
    const RowRange rows = rowsAfter(layer);
    Projections baseline;
    if (newcomers > 0 || (joined() > 0 && m_rows.first > 0))
        baseline = m_baseline.project(layer, m_memory.residual(layer).narrow(0, 0, m_rows.end()));
    at::Tensor z;  // [variant * row, head, head size]
    if (joined() > 0) {
        z = attendJoined(layer, baseline, rows);
        m_residual = m_residual.view({joined(), m_rows.count, m_residual.size(1)})
                         .narrow(1, rows.first - m_rows.first, rows.count)
                         .flatten(0, 1);
    }
    if (newcomers > 0) {
        append(z, attendNewcomers(layer, newcomers, baseline, rows));
        append(m_residual, rowsOf(m_memory.residual(layer), rows).repeat({newcomers, 1}));
    }
    m_rows = rows;
    if (!z.defined())
        return;
    m_residual = m_decoder.finishLayer(layer, m_residual, z, mlpChange(layer, m_ablations, m_rows));
    addWrites(m_request.run.writes, layer, m_residual, m_rows);
}

/// Heads' outputs of the variants that already differ from the baseline.
at::Tensor VariantPortion::attendJoined(int layer, const Projections& baseline, RowRange rows) const
{
    const Decoder decoder = m_decoder.excerpt(joined(), m_rows.first, m_rows.count);
    Projections own = decoder.project(layer, m_residual);
    own.queries = own.queries.narrow(1, rows.first - m_rows.first, rows.count);
    if (m_rows.first > 0) {
        own.keys = behindBaseline(baseline.keys, own.keys);
        own.values = behindBaseline(baseline.values, own.values);
    }
    LayerAblation ablation(m_spec, layer, m_ablations, rows);
    const at::Tensor z = attend(own, rowsOf(m_baseline.hiddenCells(layer), rows), m_request.run.gate,
                                sinkOf(ablation), joined());
    ablation.apply(z, own.values);
    return z;
}

/// Heads' outputs of the variants that join in this layer, where they have the baseline's pattern.
at::Tensor VariantPortion::attendNewcomers(int layer, std::int64_t count, Projections baseline, RowRange rows)
{
    for (std::int64_t newcomer = 0; newcomer < count; ++newcomer)
        m_ablations.push_back(
            together(m_request.run.ablations, m_request.variants[m_order[m_ablations.size()].index]));
    const std::span runs = std::span(m_ablations).last(static_cast<std::size_t>(count));
    const bool isShared = !editsCells(runs, layer);
    LayerAblation ablation(m_spec, layer, runs, rows,
                           isShared ? LayerAblation::Pattern::Shared : LayerAblation::Pattern::OfEachRun);
    baseline.queries = baseline.queries.narrow(1, rows.first, rows.count);
    if (!isShared)
        for (at::Tensor* const part : {&baseline.queries, &baseline.keys, &baseline.values})
            *part = part->repeat({count, 1, 1});
    at::Tensor z = attend(baseline, rowsOf(m_baseline.hiddenCells(layer), rows), m_request.run.gate,
                          sinkOf(ablation), isShared ? 1 : count);
    if (isShared)
        z = z.repeat({count, 1, 1});
    ablation.apply(z, baseline.values);
    return z;
}

/// Keys or values of all positions: those before the rows that are run are the baseline's.
at::Tensor VariantPortion::behindBaseline(const at::Tensor& baseline,   // [key/value head, key, head size]
                                          const at::Tensor& own) const  // [variant * key/value head, row, …]
{
    const at::Tensor before = baseline.narrow(1, 0, m_rows.first).repeat({joined(), 1, 1});
    return at::cat({before, own}, 1);
}

}  // namespace hs::engine
