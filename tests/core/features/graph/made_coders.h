#pragma once

#include "engine/device/device_tensors.h"
#include "features/coders/transcoders_tensors.h"

#include <map>
#include <memory>
#include <string>

namespace hs::test {

/// Decoders in memory.
class MadeDecoders : public features::DecoderRows {
public:
    std::map<std::pair<int, int>, at::Tensor> matrices;  // source, target → [feature, width]

    at::Tensor rows(int source, int target, std::span<const std::int64_t> indices) const override
    {
        return matrices.at({source, target})
            .index_select(0, at::tensor(at::ArrayRef(indices.data(), indices.size())));
    }
};

/// A kind of transcoders to make.
struct MadeKind {
    std::string name;
    bool crossesLayers = false;
    bool hasSkip = false;
    features::Firing firing = features::Firing::Relu;
    features::Place place = features::Place::MlpInput;
};

inline std::vector<MadeKind> madeKinds()
{
    using features::Firing;
    using features::Place;
    return {{"per layer", false, false, Firing::Relu, Place::MlpInput},
            {"across layers", true, false, Firing::JumpRelu, Place::Normed},
            {"per layer with skip", false, true, Firing::TopK, Place::Middle},
            {"across layers with skip", true, true, Firing::ReluTopK, Place::MlpInput}};
}

/// Transcoders with random weights for a model, the same each time.
inline std::shared_ptr<const features::Transcoders> makeCoders(const model::ArchSpec& spec,
                                                               const MadeKind& kind, int count = 10)
{
    at::Generator draw = engine::newGenerator(at::kCPU, 7);
    const auto random = [&](at::IntArrayRef shape, double size) {
        return at::randn(shape, draw, at::TensorOptions(at::kFloat)) * size;
    };
    const double scale = 1 / std::sqrt(static_cast<double>(spec.hidden));
    features::CoderFacts facts;
    facts.name = kind.name;
    facts.layers = spec.layers;
    facts.width = spec.hidden;
    facts.features = count;
    facts.crossesLayers = kind.crossesLayers;
    facts.hasSkip = kind.hasSkip;
    facts.firing = kind.firing;
    facts.k = 4;
    facts.place = kind.place;
    auto weights = std::make_unique<features::CoderWeights>();
    auto decoders = std::make_unique<MadeDecoders>();
    for (int layer = 0; layer < spec.layers; ++layer) {
        features::CoderLayer made;
        made.encoder = random({count, spec.hidden}, scale);
        made.encoderBias = random({count}, 0.2);
        if (kind.firing == features::Firing::JumpRelu)
            made.threshold = random({count}, 0.3).abs();
        made.decoderBias = random({spec.hidden}, 0.1);
        if (kind.hasSkip)
            made.skip = random({spec.hidden, spec.hidden}, 0.3 * scale);
        weights->layers.push_back(made);
        for (int target = layer; target < (kind.crossesLayers ? spec.layers : layer + 1); ++target)
            decoders->matrices[{layer, target}] = random({count, spec.hidden}, 0.3);
    }
    weights->decoders = std::move(decoders);
    return std::make_shared<const features::Transcoders>(facts, std::move(weights));
}

}  // namespace hs::test
