#include "features/coders/coded_outputs_tensors.h"

namespace hs::features {

CodedOutputs::CodedOutputs(const Transcoders& coders)
    : m_coders(coders), m_written(coders.weights().layers.size())
{
}

at::Tensor CodedOutputs::next(const at::Tensor& input)
{
    const std::size_t source = m_counts.size();
    const CoderWeights& weights = m_coders.weights();
    const CoderLayer& layer = weights.layers.at(source);
    const at::Tensor activations =
        fire(m_coders.facts(), layer, at::addmm(layer.encoderBias, input, layer.encoder.t()));
    m_counts.push_back(activations.ne(0).sum(0));

    const at::Tensor used = m_counts.back().nonzero().flatten();
    const std::span<const std::int64_t> features(used.data_ptr<std::int64_t>(),
                                                 static_cast<std::size_t>(used.numel()));
    const at::Tensor firing = activations.index_select(1, used);
    const std::size_t end = m_coders.facts().crossesLayers ? m_written.size() : source + 1;
    for (std::size_t target = source; target < end && !features.empty(); ++target) {
        const at::Tensor written = at::matmul(
            firing, weights.decoders->rows(static_cast<int>(source), static_cast<int>(target), features));
        m_written[target] = m_written[target].defined() ? m_written[target] + written : written;
    }
    at::Tensor output = layer.decoderBias.expand_as(input).contiguous();
    if (layer.skip.defined())
        output = output + at::matmul(input, layer.skip.t());
    if (m_written[source].defined())
        output = output + m_written[source];
    m_written[source] = at::Tensor();
    return output;
}

}  // namespace hs::features
