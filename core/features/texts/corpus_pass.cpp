#include "features/texts/corpus_pass_tensors.h"

#include "engine/device/device_tensors.h"
#include "engine/run/decoder_tensors.h"
#include "features/graph/mlp_run_tensors.h"

#include <limits>

namespace hs::features {

CorpusPass::CorpusPass(const TextsRequest& request, Place place, std::int64_t kept)
    : m_request(request), m_spec(request.model->spec()), m_place(place), m_kept(kept),
      m_device(engine::torchDevice(request.model->facts().device))
{
    const std::int64_t features = request.coders->facts().features;
    const auto there = [this](const at::Tensor& tensor) {
        return tensor.defined() ? tensor.to(m_device) : tensor;
    };
    for (const CoderLayer& layer : request.coders->weights().layers) {
        CoderLayer& moved = m_coders.emplace_back();
        moved.encoder = there(layer.encoder);
        moved.encoderBias = there(layer.encoderBias);
        moved.threshold = there(layer.threshold);
        moved.shift = there(layer.shift);
        moved.gain = there(layer.gain);
        const at::TensorOptions numbers = at::TensorOptions(at::kFloat).device(m_device);
        m_places.push_back({at::full({kept, features}, -std::numeric_limits<float>::infinity(), numbers),
                            at::zeros({kept, features}, numbers.dtype(at::kLong)),
                            at::zeros({features}, numbers.dtype(at::kLong))});
    }
}

void CorpusPass::take(const CorpusBatch& batch)
{
    const std::int64_t prompts = batch.tokens.size(0);
    const engine::Model::Facts& facts = m_request.model->facts();
    const engine::Decoder decoder(m_spec, engine::AdaptedModel(*m_request.model, m_request.adapters),
                                  engine::computingType(facts.device, facts.dtype), batch.tokens.to(m_device),
                                  engine::DecoderFrame(m_spec, batch.tokens.size(1), m_device));
    at::Tensor residual = decoder.embed();
    for (int layer = 0; layer < m_spec.layers; ++layer) {
        const at::Tensor z = engine::attend(decoder.project(layer, residual), decoder.hiddenCells(layer),
                                            m_request.gate, {}, prompts);
        const at::Tensor middle = residual + decoder.attentionOutput(layer, z);
        const at::Tensor& stream = m_spec.hasParallelResidual ? residual : middle;
        const CoderLayer& coder = m_coders[static_cast<std::size_t>(layer)];
        const at::Tensor preactivations =
            at::addmm(coder.encoderBias, readAt(m_place, *m_request.model, layer, stream.to(at::kFloat)),
                      coder.encoder.t());
        keep(
            m_places[static_cast<std::size_t>(layer)],
            fire(m_request.coders->facts(), coder, preactivations).view({prompts, -1, coder.encoder.size(0)}),
            batch);
        residual = middle + decoder.mlpOutput(layer, residual, middle);
    }
}

void CorpusPass::keep(FiringPlaces& places, const at::Tensor& activations,  // [prompt, position, feature]
                      const CorpusBatch& batch) const
{
    const at::Tensor counts = batch.counts.to(m_device).unsqueeze(-1);
    places.firings = places.firings + activations.ne(0).logical_and(counts).sum(at::IntArrayRef{0, 1});
    const auto [most, positions] =
        activations.masked_fill(counts.logical_not(), -std::numeric_limits<float>::infinity()).max(1);
    const at::Tensor prompts =
        at::arange(batch.firstPrompt, batch.firstPrompt + activations.size(0), positions.options());
    const at::Tensor found = prompts.unsqueeze(1) * m_request.corpus.length + positions;
    const auto [best, rows] = at::cat({places.activations, most}).topk(m_kept, 0);
    places.places = at::cat({places.places, found}).gather(0, rows);
    places.activations = best;
}

}  // namespace hs::features
