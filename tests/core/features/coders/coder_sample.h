#pragma once

#include "features/coders/transcoders_tensors.h"
#include "support/temp_dir.h"

#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace hs::test {

/// A random set of transcoders in memory, to be written in every layout.
struct CoderSample {
    features::CoderFacts facts;
    std::vector<features::CoderLayer> layers;
    std::vector<std::vector<at::Tensor>> decoders;  // [source] [target - source] [feature, width]

    CoderSample(features::Firing firing, bool crossesLayers, bool hasSkip);

    model::ArchSpec spec() const;
    /// What a layer's encoders read. [layer] [position, width]
    std::vector<at::Tensor> inputs() const;
    /// By the formulas, with whole matrices.
    std::vector<at::Tensor> activations(const std::vector<at::Tensor>& inputs) const;
    std::vector<at::Tensor> outputs(const std::vector<at::Tensor>& inputs) const;
};

using Tensors = std::map<std::string, at::Tensor>;

/// A safetensors file; tensors keep their type.
void writeTensors(const std::filesystem::path& file, const Tensors& tensors);

std::filesystem::path writeCircuitTracer(const TempDir& folder, const CoderSample& sample,
                                         const std::string& settings);
/// `shards` files, each with some of the features; in units of another scale.
std::filesystem::path writeCltForge(const TempDir& folder, const CoderSample& sample, int shards);
std::filesystem::path writeSparsify(const TempDir& folder, const CoderSample& sample,
                                    const std::string& settings = "");
/// clt-training's list of decoders for each source, with norms of inputs and outputs.
std::filesystem::path writeCltTraining(const TempDir& folder, const CoderSample& sample);
std::filesystem::path writeSaeLens(const TempDir& folder, const CoderSample& sample, bool isOld);
std::filesystem::path writeGemmaScope(const TempDir& folder, const CoderSample& sample);
std::filesystem::path writeGemmaScope2(const TempDir& folder, const CoderSample& sample);

}  // namespace hs::test
