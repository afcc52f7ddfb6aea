#include "engine/run/lenses_tensors.h"

#include "engine/request/forecast.h"
#include "engine/run/layer_heads_tensors.h"
#include "engine/run/readout_tensors.h"

#include <algorithm>
#include <cmath>
#include <span>

namespace hs::engine {
namespace {

std::int64_t rankOf(std::int64_t token, std::span<const float> logits)
{
    std::int64_t better = 0;
    for (std::int64_t other = 0; other < static_cast<std::int64_t>(logits.size()); ++other)
        better += logits[other] > logits[token] || (other < token && logits[other] == logits[token]) ? 1 : 0;
    return better + 1;
}

LensReading lensReading(std::span<const float> logits, double logSumExp, const Capture& capture)
{
    LensReading reading;
    const auto probabilityOf = [&](std::int64_t token) { return std::exp(logits[token] - logSumExp); };
    for (const std::int64_t token : largest(logits, capture.topK))
        reading.top.push_back({token, probabilityOf(token), logits[token]});
    for (const std::int64_t token : capture.watched)
        reading.watched.push_back({rankOf(token, logits), probabilityOf(token)});
    return reading;
}

/// Reads positions off a residual stream, wherever in the model it is.
class LensReader {
public:
    LensReader(const Decoder& decoder, const at::Tensor& last, const Capture& capture)
        : m_decoder(decoder), m_options(last.options()), m_capture(capture),
          m_first(capture.position.value_or(0)), m_count(capture.position ? 1 : last.size(0))
    {
    }

    LensLayer read(double layer, const at::Tensor& residual, const Hooks& hooks) const
    {
        LensLayer result{layer, {}};
        // In the portions that a run reads its loss in: the same products, so the same bits.
        for (std::int64_t first = m_first; first < m_first + m_count; first += kLogitChunk) {
            hooks.throwIfCancelled();
            const std::int64_t count = std::min(kLogitChunk, m_first + m_count - first);
            addRows(first, m_decoder.logits(residual.narrow(0, first, count).to(m_options)), result);
        }
        return result;
    }

private:
    void addRows(std::int64_t first, const at::Tensor& logits, LensLayer& result) const  // [row, vocabulary]
    {
        const at::Tensor sums = at::logsumexp(logits.to(at::kDouble), 1).to(at::kCPU);
        const at::Tensor onHost = logits.to(at::kCPU).contiguous();
        const auto width = static_cast<std::size_t>(onHost.size(1));
        for (std::int64_t row = 0; row < onHost.size(0); ++row) {
            const float* const data = onHost.data_ptr<float>() + static_cast<std::size_t>(row) * width;
            result.positions.push_back(lensReading({data, width}, sums.data_ptr<double>()[row], m_capture));
            result.positions.back().position = static_cast<int>(first + row);
        }
    }

    const Decoder& m_decoder;
    at::TensorOptions m_options;  // of the stream that the unembedding reads
    const Capture& m_capture;
    std::int64_t m_first;
    std::int64_t m_count;
};

}  // namespace

Lens lensOf(RunMemory& memory, const RunRequest& run, bool withHalves, const Hooks& hooks)
{
    const int layers = run.model->spec().layers;
    const Decoder& decoder = memory.decoderOf(run);
    memory.advance(run, decoder, layers, hooks);
    const LensReader reader(decoder, memory.residual(layers), run.capture);
    Lens lens;
    for (int layer = 0; layer <= layers; ++layer) {
        hooks.report(layer, layers);
        const at::Tensor& residual = memory.residual(layer);
        lens.push_back(reader.read(layer, residual, hooks));
        if (!withHalves || layer == layers)
            continue;
        const LayerHeads heads = layerHeads(decoder, run, layer, residual);
        lens.push_back(reader.read(layer + 0.5, residual + decoder.attentionOutput(layer, heads.z), hooks));
    }
    return lens;
}

}  // namespace hs::engine
