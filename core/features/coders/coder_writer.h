#pragma once

#include "features/coders/transcoders.h"
#include "model/dtype.h"

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace at {
class Tensor;
}

namespace hs::features {

struct CoderLayer;  // transcoders_tensors.h

/// What config.yaml of a written set says about it beside its shape.
struct CoderCard {
    std::string model;        // name of the model it was made for
    std::vector<double> fvu;  // [layer] on text that was held out
    std::vector<double> l0;   // [layer] features that fire at a position
    std::int64_t tokens = 0;  // that it was trained on

    friend bool operator==(const CoderCard&, const CoderCard&) = default;
};

/// Writes the files of one layer in circuit-tracer's layout, into a folder that exists. Weights are in the
/// model's units; `facts` says what the set is, its place included.
/// `decoder`: [feature, width], or across layers [feature, target - layer, width]. `type` is that of encoder and
/// decoder (F32, F16 or BF16); biases and thresholds are float32. Throws Failure.
void writeCoderLayer(const std::filesystem::path& folder, const CoderFacts& facts, int layer,
                     const CoderLayer& weights, const at::Tensor& decoder, model::DType type);

/// Writes config.yaml, which comes last: a folder without it holds no set. Throws Failure.
void writeCoderCard(const std::filesystem::path& folder, const CoderFacts& facts, const CoderCard& card);

}  // namespace hs::features
