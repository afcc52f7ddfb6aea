#include "engine/run/growing_run_tensors.h"

#include "engine/request/forecast.h"
#include "engine/run/readout_tensors.h"
#include "engine/run/stream_writes_tensors.h"

#include <algorithm>
#include <optional>
#include <span>

namespace hs::engine {
namespace {

constexpr std::int64_t kSpareRows = 256;  // that a tensor with room grows by

/// Puts rows behind the first `kept` ones along a dimension, which has room to spare.
void appendRows(at::Tensor& all, const at::Tensor& rows, std::int64_t dimension, std::int64_t kept)
{
    const std::int64_t end = kept + rows.size(dimension);
    if (!all.defined() || all.size(dimension) < end) {
        std::vector<std::int64_t> sizes = rows.sizes().vec();
        sizes[static_cast<std::size_t>(dimension)] = (end + kSpareRows - 1) / kSpareRows * kSpareRows;
        const at::Tensor larger = at::empty(sizes, rows.options());
        if (kept > 0)
            larger.narrow(dimension, 0, kept).copy_(all.narrow(dimension, 0, kept));
        all = larger;
    }
    all.narrow(dimension, kept, rows.size(dimension)).copy_(rows);
}

/// The first layer whose outputs change for earlier tokens when one is added; `layers` for none.
int firstChangingLayer(const Ablations& ablations, int layers)
{
    int first = layers;
    for (const auto& [head, ablation] : ablations)
        if (ablation.kind == HeadAblation::Kind::Mean)
            first = std::min(first, head.layer);
    return first;
}

/// Whether positions turn queries and keys alike in texts of both lengths: some models stretch long ones.
bool turnsAlike(const model::ArchSpec& spec, std::size_t before, std::size_t after)
{
    const auto isAlike = [&](const model::Rope& rope) {
        return model::rotaryFrequencies(rope, spec.rotaryDims, static_cast<std::int64_t>(before)) ==
               model::rotaryFrequencies(rope, spec.rotaryDims, static_cast<std::int64_t>(after));
    };
    return spec.rotaryDims == 0 || (isAlike(spec.rope) && (!spec.localRope || isAlike(*spec.localRope)));
}

/// Hands the rows of some heads' patterns to their summaries.
void summarize(const PatternChunk& chunk, RowRange rows, int window, const stats::SummaryRules& rules,
               std::span<stats::GrowingSummary> heads)
{
    const at::Tensor weights = chunk.weights.to(at::kCPU).contiguous();
    const at::Tensor open =
        chunk.open.defined() ? chunk.open.sum(2, /*keepdim=*/false, at::kInt).to(at::kCPU) : at::Tensor();
    const float* const data = weights.data_ptr<float>();
    const std::int64_t cells = rows.count * rows.end();
    // With less work than this, another thread costs more than it saves.
    const std::int64_t grain =
        std::max<std::int64_t>(1, at::internal::GRAIN_SIZE / std::max<std::int64_t>(1, cells));
    at::parallel_for(0, weights.size(0), grain, [&](std::int64_t begin, std::int64_t end) {
        for (std::int64_t head = begin; head < end; ++head)
            for (std::int64_t row = 0; row < rows.count; ++row) {
                const auto query = static_cast<int>(rows.first + row);
                const int seen = window > 0 ? std::min(window, query + 1) : query + 1;
                heads[chunk.firstHead + head].addRow(
                    rules, data + head * cells + row * rows.end(),
                    open.defined() ? open.data_ptr<int>()[head * rows.count + row] : seen);
            }
    });
}

}  // namespace

bool GrowingRun::isContinuedBy(const RunRequest& request) const
{
    const Capture& was = m_request.capture;
    return m_rows > 0 && m_rows < request.tokens.size() && m_request.model == request.model &&
           m_request.gate == request.gate && m_request.tf32 == request.tf32 &&
           m_request.adapters == request.adapters && m_request.ablations == request.ablations &&
           m_request.writes == request.writes && was.threshold == request.capture.threshold &&
           was.loss == request.capture.loss &&
           std::equal(m_request.tokens.begin(), m_request.tokens.end(), request.tokens.begin()) &&
           turnsAlike(request.model->spec(), m_rows, request.tokens.size());
}

RunResult GrowingRun::advance(const RunRequest& request, const Hooks& hooks)
{
    const int layers = request.model->spec().layers;
    const auto length = static_cast<std::int64_t>(request.tokens.size());
    const int changing = firstChangingLayer(request.ablations, layers);
    std::size_t first = isContinuedBy(request) ? m_rows : 0;
    m_rows = 0;
    m_request = request;
    if (first == 0) {
        m_layers.clear();
        m_stream = at::Tensor();
    }
    m_layers.resize(static_cast<std::size_t>(layers));

    const stats::RepeatedTokens repeats(request.tokens);
    const stats::SummaryRules rules{repeats, static_cast<int>(length), tileSideOf(request),
                                    request.capture.threshold};
    std::optional<Decoder> decoder(std::in_place, request, request.tokens, first);
    at::Tensor residual = decoder->embed();
    for (int layer = 0; layer <= layers; ++layer) {
        hooks.throwIfCancelled();
        hooks.report(layer, layers);
        if (layer == changing) {
            appendRows(m_stream, residual, 0, static_cast<std::int64_t>(first));
            if (layer < layers && first > 0) {
                first = 0;
                decoder.emplace(request, request.tokens, first);
            }
            residual = m_stream.narrow(0, 0, length);
        }
        if (layer < layers)
            residual = runLayer(*decoder, layer, residual,
                                {static_cast<std::int64_t>(first), length - static_cast<std::int64_t>(first)},
                                rules);
    }
    RunResult result;
    readOut(*decoder, residual, static_cast<std::int64_t>(first), result, hooks);
    collect(request, records(rules), result);
    m_rows = request.tokens.size();
    return result;
}

at::Tensor GrowingRun::runLayer(const Decoder& decoder, int layer, const at::Tensor& residual, RowRange rows,
                                const stats::SummaryRules& rules)
{
    const model::ArchSpec& spec = m_request.model->spec();
    Layer& kept = m_layers[layer];
    if (rows.first == 0)
        kept.heads.assign(static_cast<std::size_t>(spec.heads), {});
    Projections projections = decoder.project(layer, residual);
    appendRows(kept.keys, projections.keys, 1, rows.first);
    appendRows(kept.values, projections.values, 1, rows.first);
    projections.keys = kept.keys.narrow(1, 0, rows.end());
    projections.values = kept.values.narrow(1, 0, rows.end());
    LayerAblation ablation(spec, layer, {&m_request.ablations, 1}, rows);
    const at::Tensor z =
        attend(projections, decoder.hiddenCells(layer), m_request.gate, [&](PatternChunk& chunk) {
            ablation.take(chunk);
            summarize(chunk, rows, spec.windows[layer], rules, kept.heads);
        });
    ablation.apply(z, projections.values);
    const at::Tensor after =
        decoder.finishLayer(layer, residual, z, mlpChange(layer, {&m_request.ablations, 1}, rows));
    addWrites(m_request.writes, layer, after, rows);
    return after;
}

/// Logits of the tokens from `first` on are new; those of the last one are kept for the loss of the next.
void GrowingRun::readOut(const Decoder& decoder, const at::Tensor& residual, std::int64_t first,
                         RunResult& result, const Hooks& hooks)
{
    const Capture& capture = m_request.capture;
    const auto length = static_cast<std::int64_t>(m_request.tokens.size());
    result.position = capture.position.value_or(static_cast<int>(length) - 1);
    if (!capture.loss)
        first = length - 1;
    else if (first == 0)
        m_lossSum = 0;
    else
        m_lossSum += lossOf(m_last, first - 1, m_request.tokens);
    for (; first < length; first += kLogitChunk) {
        hooks.throwIfCancelled();
        const at::Tensor logits =
            decoder.logits(residual.narrow(0, first, std::min(kLogitChunk, length - first)));
        if (capture.loss)
            m_lossSum += lossOf(logits, first, m_request.tokens);
        m_last = logits.narrow(0, logits.size(0) - 1, 1);
    }
    if (capture.loss && length > 1)
        result.loss = m_lossSum / static_cast<double>(length - 1);
    m_last = m_last.clone();
    m_read =
        result.position + 1 == length ? m_last[0] : decoder.logits(residual.narrow(0, result.position, 1))[0];
    readPredictions(m_read, capture, result);
}

std::vector<LayerRecord> GrowingRun::records(const stats::SummaryRules& rules) const
{
    std::vector<LayerRecord> records(m_layers.size());
    at::parallel_for(0, static_cast<std::int64_t>(m_layers.size()), 1,
                     [&](std::int64_t begin, std::int64_t end) {
                         for (std::int64_t layer = begin; layer < end; ++layer) {
                             const std::vector<stats::GrowingSummary>& heads = m_layers[layer].heads;
                             const std::shared_ptr<std::uint8_t[]> tiles(
                                 new std::uint8_t[heads.size() * rules.tileCells()]);
                             for (std::size_t head = 0; head < heads.size(); ++head) {
                                 heads[head].drawTile(rules, tiles.get() + head * rules.tileCells());
                                 records[layer].stats.push_back(heads[head].stats(rules));
                                 records[layer].activeCells += heads[head].activeCells();
                             }
                             records[layer].tiles = tiles;
                         }
                     });
    return records;
}

std::uint64_t GrowingRun::bytes() const
{
    std::uint64_t sum = m_stream.defined() ? m_stream.nbytes() : 0;
    for (const Layer& layer : m_layers) {
        if (layer.keys.defined())
            sum += layer.keys.nbytes() + layer.values.nbytes();
        for (const stats::GrowingSummary& head : layer.heads)
            sum += head.bytes();
    }
    return sum;
}

}  // namespace hs::engine
