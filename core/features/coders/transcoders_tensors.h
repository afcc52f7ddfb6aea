#pragma once

#include "engine/device/torch.h"
#include "features/coders/transcoders.h"

#include <cstdint>
#include <span>

namespace hs::features {

/// One layer's tensors, float32 on the processor.
struct CoderLayer {
    at::Tensor encoder;      // [feature, width]
    at::Tensor encoderBias;  // [feature]
    at::Tensor threshold;    // [feature]; undefined but for JumpRelu
    at::Tensor shift;        // [feature] added to activations above 0; undefined without
    at::Tensor gain;         // [feature] what activations are multiplied with then; undefined without
    at::Tensor decoderBias;  // [width] of this layer as a target
    at::Tensor skip;         // [width, width], y += r skipᵀ; undefined without
};

/// Decoder rows, gathered from where they are.
class DecoderRows {
public:
    virtual ~DecoderRows() = default;

    /// What the features of `source` write into the MLP output of `target`. [feature, width] float32
    virtual at::Tensor rows(int source, int target, std::span<const std::int64_t> features) const = 0;
};

struct CoderWeights {
    std::vector<CoderLayer> layers;
    std::unique_ptr<const DecoderRows> decoders;
};

/// φ of one layer's pre-activations. [query, feature] -> the same
at::Tensor fire(const CoderFacts& facts, const CoderLayer& layer, const at::Tensor& preactivations);

}  // namespace hs::features
