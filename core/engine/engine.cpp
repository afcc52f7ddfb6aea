#include "engine/engine.h"

#include "base/failure.h"
#include "engine/decoder_tensors.h"
#include "engine/head_outputs_tensors.h"
#include "engine/layer_record_tensors.h"
#include "engine/readout_tensors.h"
#include "engine/request_check.h"

#include <algorithm>
#include <chrono>

namespace hs {
namespace {

/// The first layer in which two sets of ablations differ; `layers` where they are equal.
int firstDifference(const Ablations& a, const Ablations& b, int layers)
{
    int first = layers;
    const auto search = [&first](const Ablations& from, const Ablations& in) {
        for (const auto& [head, ablation] : from) {
            const auto other = in.find(head);
            if (other == in.end() || !(other->second == ablation))
                first = std::min(first, head.layer);
        }
    };
    search(a, b);
    search(b, a);
    return first;
}

int tileSideOf(const RunRequest& request)
{
    return std::min(static_cast<int>(request.tokens.size()), request.capture.tileSide);
}

void ablate(at::Tensor z, int layer, const Ablations& ablations)  // z: [query, head, head size]
{
    for (auto at = ablations.lower_bound({layer, 0}); at != ablations.end() && at->first.layer == layer;
         ++at) {
        at::Tensor head = z.select(1, at->first.head);  // [query, head size]
        switch (at->second.kind) {
        case HeadAblation::Kind::Zero: head.zero_(); break;
        case HeadAblation::Kind::Mean: head.copy_(head.mean(0, /*keepdim=*/true).expand_as(head)); break;
        case HeadAblation::Kind::Replace:
            head.copy_(at->second.source->layer(layer).select(1, at->first.head));
            break;
        }
    }
}

}  // namespace

/// The last run, as far as it got: `records` holds its first layers, `residuals` the stream entering
/// each of them and the next one.
class Engine::Memory {
public:
    /// Brings the first `layers` layers of the request up to date and returns the first that had to
    /// be computed. What a failure or a cancellation leaves behind is a shorter, valid memory.
    int advance(const RunRequest& request, const Decoder& decoder, int layers, const Hooks& hooks)
    {
        const int first = adopt(request);
        if (m_residuals.empty())
            m_residuals.push_back(decoder.embed());
        const RepeatedTokens repeats(request.tokens);
        const SummaryRules rules{repeats, static_cast<int>(request.tokens.size()), tileSideOf(request),
                                 request.capture.threshold};
        for (int layer = first; layer < layers; ++layer) {
            hooks.throwIfCancelled();
            hooks.report(layer, request.model->spec().layers);
            runLayer(decoder, layer, rules);
        }
        hooks.throwIfCancelled();
        return first;
    }

    const at::Tensor& residual(int layer) const { return m_residuals[layer]; }  // [query, hidden]
    const std::vector<LayerRecord>& records() const { return m_records; }

private:
    /// Cuts the memory back to what is also true of `request`.
    int adopt(const RunRequest& request)
    {
        const Capture& was = m_request.capture;
        const Capture& is = request.capture;
        const bool isSameRun = m_request.model == request.model && m_request.tokens == request.tokens &&
                               m_request.gate == request.gate && was.tileSide == is.tileSide &&
                               was.threshold == is.threshold && was.fullMaps == is.fullMaps &&
                               was.headOutputs == is.headOutputs;
        const int layers = request.model->spec().layers;
        const int valid = isSameRun ? firstDifference(m_request.ablations, request.ablations, layers) : 0;
        const int kept = std::min(valid, static_cast<int>(m_records.size()));
        m_records.resize(kept);
        m_residuals.resize(isSameRun ? std::min<std::size_t>(m_residuals.size(), kept + 1) : 0);
        m_request = request;
        return kept;
    }

    void runLayer(const Decoder& decoder, int layer, const SummaryRules& rules)
    {
        const ArchSpec& spec = m_request.model->spec();
        LayerRecorder recorder(spec.heads, rules, visibleCells(rules.length, spec.windows[layer]),
                               m_request.capture.fullMaps);
        const at::Tensor z = attend(decoder.project(layer, m_residuals[layer]), decoder.hiddenCells(layer),
                                    m_request.gate, [&](const PatternChunk& chunk) { recorder.take(chunk); });
        ablate(z, layer, m_request.ablations);
        LayerRecord record = recorder.finish();
        if (m_request.capture.headOutputs)
            record.z = z;
        // The record last: a layer counts as done once it has one.
        m_residuals.push_back(decoder.finishLayer(layer, m_residuals[layer], z));
        m_records.push_back(std::move(record));
    }

    RunRequest m_request;
    std::vector<at::Tensor> m_residuals;
    std::vector<LayerRecord> m_records;
};

namespace {

RunResult collect(const RunRequest& request, const std::vector<LayerRecord>& records)
{
    RunResult result;
    result.heads = request.model->spec().headShape();
    result.tokens = request.tokens;
    result.tileSide = tileSideOf(request);
    std::int64_t active = 0;
    std::vector<at::Tensor> outputs;
    for (const LayerRecord& record : records) {
        result.stats.insert(result.stats.end(), record.stats.begin(), record.stats.end());
        result.tiles.push_back(record.tiles);
        active += record.activeCells;
        if (request.capture.fullMaps)
            result.maps.push_back(record.map);
        if (request.capture.headOutputs)
            outputs.push_back(record.z);
    }
    const auto length = static_cast<std::int64_t>(request.tokens.size());
    result.density =
        static_cast<double>(active) / (static_cast<double>(causalCells(length)) * result.heads.total());
    if (request.capture.headOutputs)
        result.headOutputs = std::make_shared<const HeadOutputs>(std::move(outputs));
    return result;
}

LayerMap toLayerMap(const at::Tensor& maps)  // [head, query, key]
{
    const at::Tensor onHost = maps.to(at::kCPU, at::kFloat).contiguous();
    std::shared_ptr<float[]> copy(new float[static_cast<std::size_t>(onHost.numel())]);
    std::copy_n(onHost.data_ptr<float>(), onHost.numel(), copy.get());
    return copy;
}

}  // namespace

Engine::Engine() : m_memory(std::make_unique<Memory>()) {}
Engine::~Engine() = default;

Result<RunResult> Engine::run(const RunRequest& request, const Hooks& hooks)
{
    return guarded([&] {
        const auto start = std::chrono::steady_clock::now();
        checkRequest(request);
        const c10::InferenceMode noGradients;
        const int layers = request.model->spec().layers;
        const Decoder decoder(*request.model, request.tokens);
        const int first = m_memory->advance(request, decoder, layers, hooks);
        RunResult result = collect(request, m_memory->records());
        readOut(decoder, m_memory->residual(layers), request, result);
        result.firstLayerComputed = first;
        hooks.report(layers, layers);
        const std::chrono::duration<double, std::milli> elapsed = std::chrono::steady_clock::now() - start;
        result.milliseconds = elapsed.count();
        return result;
    });
}

Result<LayerMap> Engine::layerMaps(const RunRequest& request, int layer, MapKind kind, const Hooks& hooks)
{
    return guarded([&]() -> LayerMap {
        checkRequest(request);
        const ArchSpec& spec = request.model->spec();
        if (layer < 0 || layer >= spec.layers)
            fail(ErrorCode::BadRequest, "There is no layer " + std::to_string(layer) + "; the last one is " +
                                            std::to_string(spec.layers - 1) + ".");
        const c10::InferenceMode noGradients;
        const Decoder decoder(*request.model, request.tokens);
        m_memory->advance(request, decoder, layer, hooks);
        const Projections projections = decoder.project(layer, m_memory->residual(layer));
        const at::Tensor norms =
            kind == MapKind::ValueWeighted ? decoder.messageNorms(layer, projections) : at::Tensor();
        const auto length = static_cast<std::int64_t>(request.tokens.size());
        at::Tensor maps = at::empty({spec.heads, length, length}, at::kFloat);
        attend(projections, decoder.hiddenCells(layer), request.gate, [&](const PatternChunk& chunk) {
            const std::int64_t heads = chunk.weights.size(0);
            at::Tensor part = chunk.weights;
            if (kind == MapKind::Scores)
                part = chunk.scores;
            else if (kind == MapKind::Gate)
                part = chunk.open.defined() ? chunk.open : at::isfinite(chunk.scores);
            else if (kind == MapKind::ValueWeighted)
                part = chunk.weights * norms.narrow(0, chunk.firstHead, heads).unsqueeze(1);
            maps.narrow(0, chunk.firstHead, heads).copy_(part);
        });
        return toLayerMap(maps);
    });
}

Result<std::vector<float>> Engine::cellWeights(const RunRequest& request, int query, int key,
                                               const Hooks& hooks)
{
    return guarded([&] {
        checkRequest(request);
        checkPosition(request, query);
        checkPosition(request, key);
        const c10::InferenceMode noGradients;
        const int layers = request.model->spec().layers;
        const Decoder decoder(*request.model, request.tokens);
        std::vector<float> cells;  // [layer * head]
        for (int layer = 0; layer < layers; ++layer) {
            m_memory->advance(request, decoder, layer, hooks);
            hooks.report(layer, layers);
            attend(decoder.project(layer, m_memory->residual(layer)), decoder.hiddenCells(layer),
                   request.gate, [&](const PatternChunk& chunk) {
                       const at::Tensor cell =
                           chunk.weights.select(2, key).select(1, query).to(at::kCPU).contiguous();
                       const float* const data = cell.data_ptr<float>();
                       cells.insert(cells.end(), data, data + cell.numel());
                   });
        }
        hooks.report(layers, layers);
        return cells;
    });
}

std::optional<ScoreGate> ownGate(const Model& model)
{
    if (!model.spec().gateBias)
        return std::nullopt;
    return ScoreGate{*model.spec().gateBias};
}

}  // namespace hs
