#pragma once

#include "features/coders/transcoders_tensors.h"

namespace hs::test {

/// Decoders that are whole matrices in memory.
class MatrixDecoders final : public features::DecoderRows {
public:
    MatrixDecoders(int layers, int features, int width)
    {
        for (int source = 0; source < layers; ++source)
            for (int target = source; target < layers; ++target)
                m_matrices[{source, target}] = at::randn({features, width}) * 0.1;
    }

    at::Tensor rows(int source, int target, std::span<const std::int64_t> features) const override
    {
        std::vector<at::Tensor> rows;
        for (const std::int64_t feature : features)
            rows.push_back(m_matrices.at({source, target})[feature]);
        return at::stack(rows);
    }

private:
    std::map<std::pair<int, int>, at::Tensor> m_matrices;
};

/// Transcoders that explain nothing but have every part.
inline std::shared_ptr<const features::Transcoders> randomCoders(const model::ArchSpec& spec,
                                                                 bool crossesLayers, bool hasSkip,
                                                                 features::Place place, int count = 24)
{
    at::manual_seed(5);
    features::CoderFacts facts;
    facts.name = "random";
    facts.layers = spec.layers;
    facts.width = spec.hidden;
    facts.features = count;
    facts.crossesLayers = crossesLayers;
    facts.hasSkip = hasSkip;
    facts.firing = features::Firing::JumpRelu;
    facts.place = place;
    auto weights = std::make_unique<features::CoderWeights>();
    for (int layer = 0; layer < spec.layers; ++layer) {
        features::CoderLayer& made = weights->layers.emplace_back();
        made.encoder = at::randn({count, spec.hidden});
        made.encoderBias = at::randn({count}) * 0.1;
        made.threshold = at::full({count}, 0.2);
        made.decoderBias = at::randn({spec.hidden}) * 0.1;
        if (hasSkip)
            made.skip = at::randn({spec.hidden, spec.hidden}) * 0.02;
    }
    weights->decoders = std::make_unique<MatrixDecoders>(spec.layers, count, spec.hidden);
    return std::make_shared<const features::Transcoders>(std::move(facts), std::move(weights));
}

}  // namespace hs::test
