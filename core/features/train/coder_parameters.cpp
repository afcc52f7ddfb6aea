#include "features/train/coder_parameters_tensors.h"

#include "engine/device/device_tensors.h"

#include <cmath>
#include <numeric>

namespace hs::features {

CoderParameters::CoderParameters(int layers, int width, const CoderOptions& options)
    : m_layers(layers), m_width(width), m_features(options.features), m_crossesLayers(options.crossesLayers)
{
    const std::int64_t matrix = static_cast<std::int64_t>(m_features) * m_width;
    for (int layer = 0; layer < m_layers; ++layer)
        m_sizes.insert(m_sizes.end(), {matrix, matrix * targets(layer), m_features, m_width});
    m_size = std::accumulate(m_sizes.begin(), m_sizes.end(), std::int64_t{0});
}

std::vector<TrainedLayer> CoderParameters::unpack(const at::Tensor& vector) const
{
    const std::vector<at::Tensor> pieces = vector.split_with_sizes(m_sizes);
    std::vector<TrainedLayer> layers;
    for (auto piece = pieces.begin(); piece != pieces.end(); piece += 4)
        layers.push_back(
            {piece[0].view({m_features, m_width}), piece[1].view({m_features, -1}), piece[2], piece[3]});
    return layers;
}

at::Tensor CoderParameters::start(std::uint64_t seed, const at::Tensor& means) const
{
    const at::Tensor vector = at::zeros({m_size}, at::kFloat);
    const at::Generator generator = engine::newGenerator(at::kCPU, seed);
    const double bound = 1 / std::sqrt(m_width);
    const std::vector<TrainedLayer> layers = unpack(vector);
    for (int layer = 0; layer < m_layers; ++layer) {
        layers[layer].encoder.uniform_(-bound, bound, generator);
        layers[layer].decoderBias.copy_(means[layer]);
    }
    return vector;
}

}  // namespace hs::features
