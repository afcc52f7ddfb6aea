#pragma once

#include "engine/device/torch.h"
#include "features/train/coder_options.h"

#include <cstdint>
#include <vector>

namespace hs::features {

/// A layer's weights while they are trained: its input and output are scaled.
struct TrainedLayer {
    at::Tensor encoder;      // [feature, width]
    at::Tensor decoder;      // [feature, target * width], the first target is the layer itself
    at::Tensor encoderBias;  // [feature]
    at::Tensor decoderBias;  // [width] of this layer as a target
};

/// What is trained, as one vector, so that an update, a norm and a checkpoint are each one operation.
class CoderParameters {
public:
    CoderParameters(int layers, int width, const CoderOptions& options);

    int layers() const { return m_layers; }
    int width() const { return m_width; }
    int features() const { return m_features; }
    std::int64_t size() const { return m_size; }
    /// Layers that the features of a layer write to.
    int targets(int layer) const { return m_crossesLayers ? m_layers - layer : 1; }

    /// Views of a vector, with gradients to it.
    std::vector<TrainedLayer> unpack(const at::Tensor& vector) const;
    /// Encoders at random, decoders zero, and as biases of the outputs `means` [layer, width]. [size] float
    at::Tensor start(std::uint64_t seed, const at::Tensor& means) const;

private:
    int m_layers;
    int m_width;
    int m_features;
    bool m_crossesLayers;
    std::vector<std::int64_t> m_sizes;  // encoder, decoder and the two biases of each layer
    std::int64_t m_size = 0;
};

}  // namespace hs::features
