#include "engine/run/run_memory_tensors.h"

#include "engine/load/adapter.h"
#include "engine/run/layer_attention_tensors.h"
#include "engine/run/stream_writes_tensors.h"

#include <algorithm>
#include <iterator>

namespace hs::engine {
namespace {

/// How many layers a GPU is given in one go, counted from the model's first so that groups recur. One group
/// runs while the next is queued: a cancelled run waits for two of them.
int layersTogether(std::size_t tokens)
{
    return tokens <= 1024 ? 4 : 1;
}

/// The first layer that adapters, or their strengths, change otherwise in one of two requests; `layers` where they are
/// equal. Their order counts: it is the order of the sums.
int firstAdaptedDifference(const AdapterUses& a, const AdapterUses& b, int layers)
{
    int first = layers;
    for (std::size_t place = 0; place < std::max(a.size(), b.size()); ++place) {
        if (place < a.size() && place < b.size() && a[place] == b[place])
            continue;
        for (const AdapterUses* const uses : {&a, &b})
            if (place < uses->size())
                first = std::min(first, (*uses)[place].adapter->facts().firstLayer);
    }
    return first;
}

/// The first layer in which what two requests intervene with differs; `layers` where it is equal.
int firstIntervention(const RunRequest& a, const RunRequest& b, int layers)
{
    int first = std::min(firstDifference(a.writes, b.writes, layers),
                         firstAdaptedDifference(inEffect(a.adapters), inEffect(b.adapters), layers));
    const auto search = [&first](const Ablations& from, const Ablations& in) {
        for (const auto& [head, ablation] : from) {
            const auto other = in.find(head);
            if (other == in.end() || !(other->second == ablation))
                first = std::min(first, head.layer);
        }
    };
    search(a.ablations, b.ablations);
    search(b.ablations, a.ablations);
    return first;
}

/// Changes what the layer's MLP writes, and keeps it where the request captures outputs.
MlpChange changeAndKeep(const RunRequest& request, int layer, HeadOutputs::Layer& outputs)
{
    const MlpChange change = mlpChange(layer, {&request.ablations, 1}, {0, std::ssize(request.tokens)});
    if (!request.capture.headOutputs)
        return change;
    return [change, &outputs](const at::Tensor& written) {
        if (change)
            change(written);
        outputs.mlp = written;
    };
}

}  // namespace

int tileSideOf(const RunRequest& request)
{
    return std::min(request.places(), request.capture.tileSide);
}

int RunMemory::advance(const RunRequest& request, const Decoder& decoder, int layers, const Hooks& hooks)
{
    const int first = queue(request, decoder, layers, hooks);
    settle();
    return first;
}

int RunMemory::queue(const RunRequest& request, const Decoder& decoder, int layers, const Hooks& hooks,
                     const std::function<void()>& onStep)
{
    const int first = adopt(request);
    GpuLayers* const gpu = first < layers ? gpuFor(request) : nullptr;
    const std::shared_ptr<void> stream = gpu ? gpu->enter() : nullptr;
    if (gpu)
        gpu->begin(request, decoder);
    if (m_residuals.empty())
        m_residuals.push_back(decoder.embed());
    if (gpu)
        gpu->setResidual(first, m_residuals[first]);
    const at::Tensor tokens = gpu ? at::Tensor() : decoder.tokens().flatten().to(at::kCPU, at::kInt);
    for (int layer = first, end = 0; layer < layers && !hooks.stop.stop_requested(); layer = end) {
        end = gpu ? endOfGroup(layer, layers) : layer + 1;
        for (int next = layer; next < end; ++next)
            hooks.report(next, request.model->spec().layers);
        if (gpu)
            queueLayers(decoder, layer, end);
        else
            runLayer(decoder, layer, tokens);
        if (onStep)
            onStep();
    }
    if (hooks.stop.stop_requested())
        settle();
    hooks.throwIfCancelled();
    return first;
}

void RunMemory::settle()
{
    settleAllBut(0);
    // The last layer's record may be there before what is written to the stream after it.
    if (m_gpu)
        m_gpu->wait();
}

void RunMemory::settleAllBut(std::size_t queued)
{
    while (m_queued.size() > queued) {
        const int layer = static_cast<int>(m_records.size());
        LayerRecord record = m_gpu->take(layer, rules());
        record.outputs = std::move(m_queued.front());
        m_records.push_back(std::move(record));
        m_queued.pop_front();
    }
}

bool RunMemory::hasRoomFor(const RunRequest& request) const
{
    return !m_records.empty() && m_request.model == request.model &&
           m_request.tokens.size() == request.tokens.size() && m_request.spans == request.spans &&
           m_request.capture == request.capture;
}

const Decoder& RunMemory::decoderOf(const RunRequest& request)
{
    if (!m_prompt || m_prompt->model != request.model || m_prompt->tokens != request.tokens ||
        m_prompt->adapters != request.adapters)
        m_prompt.emplace(request.model, request.tokens, request.adapters, Decoder(request, request.tokens));
    return m_prompt->decoder;
}

/// Cuts the memory back to what also holds for `request`.
int RunMemory::adopt(const RunRequest& request)
{
    const Capture& was = m_request.capture;
    const Capture& is = request.capture;
    const bool isSameRun = m_request.model == request.model && m_request.tokens == request.tokens &&
                           m_request.gate == request.gate && m_request.tf32 == request.tf32 &&
                           m_request.spans == request.spans && was.tileSide == is.tileSide &&
                           was.threshold == is.threshold && was.fullMaps == is.fullMaps &&
                           was.headOutputs == is.headOutputs && was.headCells == is.headCells;
    const int layers = request.model->spec().layers;
    const int valid = isSameRun ? firstIntervention(m_request, request, layers) : 0;
    const int kept = std::min(valid, static_cast<int>(m_records.size()));
    m_records.resize(kept);
    m_residuals.resize(isSameRun ? std::min<std::size_t>(m_residuals.size(), kept + 1) : 0);
    m_queued.clear();
    if (m_request.tokens != request.tokens || m_request.spans != request.spans)
        m_repeats = stats::RepeatedTokens(request.placeIds());
    m_request = request;
    return kept;
}

stats::SummaryRules RunMemory::rules() const
{
    return {m_repeats, m_request.places(), tileSideOf(m_request), m_request.capture.threshold,
            m_request.fold()};
}

/// Whether the patterns themselves are needed, and not only what is computed from them.
bool RunMemory::needsPatterns() const
{
    return m_request.capture.fullMaps || m_request.fold() || keepsCells(m_request.capture) ||
           std::ranges::any_of(m_request.ablations,
                               [](const auto& entry) { return entry.second.patchesCells(); });
}

GpuLayers* RunMemory::gpuLayers() const
{
    return m_gpu && m_gpu->owns(m_residuals.back()) ? m_gpu.get() : nullptr;
}

/// The GPU's layers; null if the request needs patterns or adds to products, or there are none.
GpuLayers* RunMemory::gpuFor(const RunRequest& request)
{
    if (m_gpu && !m_gpu->isOf(*request.model))
        m_gpu.reset();
    if (needsPatterns() || !inEffect(request.adapters).empty())
        return nullptr;
    if (!m_gpu)
        m_gpu = makeGpuLayers(request);
    return m_gpu.get();
}

/// Whether a layer's head outputs are changed or kept, or its result is changed.
bool RunMemory::isTouched(int layer) const
{
    const auto ablated = m_request.ablations.lower_bound({layer, 0});
    return m_request.capture.headOutputs || writesTo(m_request.writes, layer) ||
           (ablated != m_request.ablations.end() && ablated->first.layer == layer);
}

/// The end of the layers that are queued in one go with `layer`.
int RunMemory::endOfGroup(int layer, int layers) const
{
    int end = layer + 1;
    while (end < layers && end % layersTogether(m_request.tokens.size()) != 0 && !isTouched(layer) &&
           !isTouched(end))
        ++end;
    return end;
}

void RunMemory::queueLayers(const Decoder& decoder, int first, int end)
{
    settleAllBut(static_cast<std::size_t>(layersTogether(m_request.tokens.size())));
    std::vector<HeadOutputs::Layer> queued(static_cast<std::size_t>(end - first));
    if (isTouched(first)) {
        const at::Tensor z = m_gpu->attend(first);
        LayerAblation(m_request.model->spec(), first, {&m_request.ablations, 1}, {0, z.size(0)}).apply(z, {});
        finishQueued(decoder, first, z, queued.front());
        addWrites(m_request.writes, first, m_gpu->residual(first + 1), {0, z.size(0)});
    } else {
        m_gpu->run(first, end);
    }
    for (int layer = first; layer < end; ++layer)
        m_residuals.push_back(m_gpu->residual(layer + 1));
    std::ranges::move(queued, std::back_inserter(m_queued));
}

/// The second half of a touched layer. What a changed MLP leads to comes from the decoder, in place of what the kernels
/// give for it as it is.
void RunMemory::finishQueued(const Decoder& decoder, int layer, const at::Tensor& z,
                             HeadOutputs::Layer& outputs)
{
    m_gpu->finish(layer);
    const bool isChanged = m_request.ablations.contains(HeadId::mlpOf(layer));
    if (!isChanged && !m_request.capture.headOutputs)
        return;
    if (m_request.capture.headOutputs)
        outputs.z = z.clone();
    const at::Tensor after =
        decoder.finishLayer(layer, m_gpu->residual(layer), z, changeAndKeep(m_request, layer, outputs));
    if (isChanged)
        m_gpu->setResidual(layer + 1, after);
}

void RunMemory::runLayer(const Decoder& decoder, int layer, const at::Tensor& tokens)
{
    const at::Tensor residual = m_residuals[layer];
    LayerAttention attention =
        attendLayer(m_request, decoder, layer, decoder.packedProjections(layer, residual), tokens, rules());
    const at::Tensor after = decoder.finishLayer(layer, residual, attention.z,
                                                 changeAndKeep(m_request, layer, attention.record.outputs));
    addWrites(m_request.writes, layer, after, {0, after.size(0)});
    // The record last: a layer counts as done once it has one.
    m_residuals.push_back(after);
    m_records.push_back(std::move(attention.record));
}

}  // namespace hs::engine
