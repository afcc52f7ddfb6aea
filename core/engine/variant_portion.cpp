#include "engine/variant_portion_tensors.h"

#include <algorithm>

namespace hs {
namespace {

Ablations together(Ablations base, const Ablations& more)
{
    for (const auto& [head, ablation] : more)
        base[head] = ablation;
    return base;
}

void append(at::Tensor& rows, const at::Tensor& more)
{
    rows = rows.defined() ? at::cat({rows, more}) : more;
}

PatternSink sinkOf(LayerAblation& ablation)
{
    if (!ablation.needsPatterns())
        return {};
    return [&ablation](const PatternChunk& chunk) { ablation.take(chunk); };
}

}  // namespace

VariantPortion::VariantPortion(const RunMemory& memory, const VariantRequest& request, const Decoder& decoder,
                               std::span<const VariantPlace> places, std::int64_t end)
    : m_memory(memory), m_request(request),
      m_spec(request.run.model->spec()), m_rows{places.front().row, end - places.front().row},
      m_decoder(decoder), m_baseline(decoder.excerpt(1, 0, end)), m_order(places.begin(), places.end())
{
    std::ranges::stable_sort(m_order, {}, &VariantPlace::layer);
}

std::vector<VariantReading> VariantPortion::run(const VariantReader& reader, const Hooks& hooks)
{
    for (int layer = 0; layer < m_spec.layers; ++layer) {
        hooks.throwIfCancelled();
        runLayer(layer);
    }
    // Those that ablate nothing join at the very end.
    if (const std::int64_t rest = joiningAt(m_spec.layers); rest > 0)
        append(m_residual, ownRows(m_memory.residual(m_spec.layers)).repeat({rest, 1}));
    return reader.read(m_residual, m_rows);
}

std::int64_t VariantPortion::joiningAt(int layer) const
{
    return std::ranges::count(m_order, layer, &VariantPlace::layer);
}

at::Tensor VariantPortion::ownRows(const at::Tensor& residual) const
{
    return residual.narrow(0, m_rows.first, m_rows.count);
}

void VariantPortion::runLayer(int layer)
{
    const std::int64_t newcomers = joiningAt(layer);
    if (joined() + newcomers == 0)
        return;
    Projections baseline;
    if (newcomers > 0 || m_rows.first > 0)
        baseline = m_baseline.project(layer, m_memory.residual(layer).narrow(0, 0, m_rows.end()));
    at::Tensor z;  // [variant * row, head, head size]
    if (joined() > 0)
        z = attendJoined(layer, baseline);
    if (newcomers > 0) {
        append(z, attendNewcomers(layer, newcomers, baseline));
        append(m_residual, ownRows(m_memory.residual(layer)).repeat({newcomers, 1}));
    }
    m_residual = m_decoder.finishLayer(layer, m_residual, z);
}

/// Heads' outputs of those that differ from the baseline already.
at::Tensor VariantPortion::attendJoined(int layer, const Projections& baseline) const
{
    const Decoder decoder = m_decoder.excerpt(joined(), m_rows.first, m_rows.count);
    Projections own = decoder.project(layer, m_residual);
    if (m_rows.first > 0) {
        own.keys = behindBaseline(baseline.keys, own.keys);
        own.values = behindBaseline(baseline.values, own.values);
    }
    LayerAblation ablation(m_spec, layer, m_ablations, m_rows);
    at::Tensor z = attend(own, decoder.hiddenCells(layer), m_request.run.gate, sinkOf(ablation), joined());
    ablation.apply(z, own.values);
    return z;
}

/// Those that join in this layer have the baseline's pattern in it.
at::Tensor VariantPortion::attendNewcomers(int layer, std::int64_t count, Projections baseline)
{
    for (std::int64_t newcomer = 0; newcomer < count; ++newcomer)
        m_ablations.push_back(
            together(m_request.run.ablations, m_request.variants[m_order[m_ablations.size()].index]));
    LayerAblation ablation(m_spec, layer, std::span(m_ablations).last(static_cast<std::size_t>(count)),
                           m_rows, LayerAblation::Pattern::Shared);
    baseline.queries = baseline.queries.narrow(1, m_rows.first, m_rows.count);
    const at::Tensor hidden = m_baseline.hiddenCells(layer).narrow(0, m_rows.first, m_rows.count);
    at::Tensor z = attend(baseline, hidden, m_request.run.gate, sinkOf(ablation)).repeat({count, 1, 1});
    ablation.apply(z, baseline.values);
    return z;
}

/// Keys or values of all positions: before the rows that are run they are the baseline's.
at::Tensor VariantPortion::behindBaseline(const at::Tensor& baseline,   // [key/value head, key, head size]
                                          const at::Tensor& own) const  // [variant * key/value head, row, …]
{
    const at::Tensor before = baseline.narrow(1, 0, m_rows.first).repeat({joined(), 1, 1});
    return at::cat({before, own}, 1);
}

}  // namespace hs
