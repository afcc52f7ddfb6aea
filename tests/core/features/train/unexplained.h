#pragma once

#include "features/coders/transcoders_tensors.h"
#include "features/train/mlp_streams_tensors.h"

#include <numeric>

namespace hs::test {

/// The unexplained share of the variance of what a layer's MLP adds, by an open set alone.
inline double unexplained(const features::Transcoders& coders, const features::MlpStreams& streams, int layer)
{
    const features::CoderFacts& facts = coders.facts();
    std::vector<std::int64_t> all(facts.features);
    std::iota(all.begin(), all.end(), 0);
    at::Tensor made = coders.weights().layers[layer].decoderBias;
    for (int source = facts.crossesLayers ? 0 : layer; source <= layer; ++source) {
        const features::CoderLayer& weights = coders.weights().layers[source];
        const at::Tensor pre = at::linear(streams.inputs[source], weights.encoder, weights.encoderBias);
        made = made + at::matmul(features::fire(facts, weights, pre),
                                 coders.weights().decoders->rows(source, layer, all));
    }
    const at::Tensor& output = streams.outputs[layer];
    return (made - output).square().sum().item<double>() /
           (output - output.mean(0)).square().sum().item<double>();
}

}  // namespace hs::test
