#pragma once

#include <cstdint>
#include <vector>

namespace hs::features {

/// How a set of transcoders does on rows that it was not trained on, the first position of each left out.
struct CoderMeasure {
    std::vector<double> fvu;         // [layer] unexplained share of the variance of what the MLP adds
    std::vector<double> l0;          // [layer] features that fire at a position
    std::vector<std::int64_t> dead;  // [layer] features that fire nowhere
    double loss = 0;                 // of the model itself, nats a token
    double replacedLoss = 0;         // with what the transcoders write in place of what its MLPs add
    double divergence = 0;           // KL(model || replaced), nats a token
    double agreement = 0;            // share of tokens after which both find the same one likeliest
    friend bool operator==(const CoderMeasure&, const CoderMeasure&) = default;
};

}  // namespace hs::features
